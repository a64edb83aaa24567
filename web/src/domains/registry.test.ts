import { expect, test } from "vitest";

import { domainPage, registerDomain } from "./registry";

test("an unregistered domain has only its name and a title", () => {
  expect(domainPage("peas")).toEqual({ name: "peas", title: "Peas" });
  expect(domainPage(null).title).toBe("Unknown");
});

test("a domain is found by its name, and can register only once", () => {
  registerDomain({ name: "beans", title: "Beans of all kinds" });
  expect(domainPage("beans").title).toBe("Beans of all kinds");
  expect(() => registerDomain({ name: "beans", title: "Others" })).toThrow("beans");
});
