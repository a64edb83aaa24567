/** The domains that the page knows; a new one adds its line here. */

import "./programs";
import "./texts";

export { useInstalled, wordsFor } from "./installed";
export { domainNav, domainPage, domainRoutes, registerDomain } from "./registry";
export type { CandidateViewProps, DomainPage, DomainRoute, LaunchFormProps } from "./registry";
