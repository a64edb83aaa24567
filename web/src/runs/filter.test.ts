import { expect, test } from "vitest";

import { withQuery } from "../shell/router";
import { askedOf, changed, chosenOf, comparePath, filterOf, isFiltered, nextPage, previousPage, toggled } from "./filter";

const parse = (search: string) => filterOf(new URLSearchParams(search));

test("a URL without a query shows the newest runs unfiltered", () => {
  const filter = parse("");
  expect(filter).toEqual({ status: "", domain: "", q: "", sort: "newest", trail: [] });
  expect(isFiltered(filter)).toBe(false);
});

test("an unknown sort becomes the default one", () => {
  expect(parse("sort=toString").sort).toBe("newest");
  expect(parse("sort=best").sort).toBe("best");
});

test("an unknown status is ignored, because the server would reject it", () => {
  expect(parse("status=asleep").status).toBe("");
  expect(parse("status=stopped").status).toBe("stopped");
});

test("a filter goes into the URL and comes back", () => {
  const path = withQuery("/", changed({ status: "running", q: "sort & search", sort: "best" }));
  const back = parse(path.slice(2));
  expect(back).toMatchObject({ status: "running", q: "sort & search", sort: "best" });
});

test("a changed filter starts at the first page", () => {
  const path = withQuery("/?after=a,b", changed({ domain: "texts" }));
  expect(parse(path.slice(2))).toMatchObject({ domain: "texts", trail: [] });
});

test("pages go forward and back", () => {
  const second = parse(withQuery("/", nextPage(parse(""), "a")).slice(2));
  const third = parse(withQuery("/", nextPage(second, "b")).slice(2));
  expect(askedOf(third).cursor).toBe("b");
  expect(parse(withQuery("/", previousPage(third)).slice(2))).toEqual(second);
  expect(withQuery("/?after=a", previousPage(second))).toBe("/");
});

test("blank words are not a filter", () => {
  expect(isFiltered(parse("q=%20%20"))).toBe(false);
});

test("choosing a run twice removes it, and each run is in the URL once", () => {
  expect(toggled(toggled(["a"], "b"), "a")).toEqual(["b"]);
  expect(chosenOf("a,b,a,")).toEqual(["a", "b"]);
  expect(comparePath(["a", "b"])).toBe("/compare?runs=a,b");
});
