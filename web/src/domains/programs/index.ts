/** Programs: functions bred to be faster or smaller. */

import { registerDomain } from "../registry";
import { ProgramAudit } from "./ProgramAudit";

registerDomain({
  name: "programs",
  title: "Programs",
  lessIsBetter: ["memory", "size"],
  panels: [{ name: "program-audit", Panel: ProgramAudit }],
});
