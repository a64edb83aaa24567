/** The domains with additions to the page; a new one adds its import here. */

import "./programs";
import "./texts";

export { useInstalled, wordsFor } from "./installed";
export { domainNav, domainPage, domainRoutes, registerDomain } from "./registry";
export type { CandidateViewProps, DomainPage, DomainRoute, LaunchFormProps } from "./registry";
