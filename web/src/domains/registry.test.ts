import { expect, test } from "vitest";

import { domainPage, registerDomain } from "./registry";

test("a domain that nobody registered has its name as title and nothing of its own", () => {
  expect(domainPage("peas")).toEqual({ name: "peas", title: "Peas" });
  expect(domainPage(null).title).toBe("Unknown");
});

test("a domain is found by its name, and registers once", () => {
  registerDomain({ name: "beans", title: "Beans of all kinds" });
  expect(domainPage("beans").title).toBe("Beans of all kinds");
  expect(() => registerDomain({ name: "beans", title: "Others" })).toThrow("beans");
});
