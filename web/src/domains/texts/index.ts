/** Programs in any language, bred as text. */

import { registerDomain } from "../registry";

registerDomain({ name: "texts", title: "Texts" });
