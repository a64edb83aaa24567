/** Programs: functions bred to be faster or smaller. */

import { registerDomain } from "../registry";

registerDomain({
  name: "programs",
  title: "Programs",
  lessIsBetter: ["memory", "size"],
  fieldOfCode: { source_not_python: "source", no_such_function: "function" },
  problemOf: ({ domain_config }) => [domain_config?.data["files"], domain_config?.data["entry"]],
});
