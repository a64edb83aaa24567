import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { Link, match, useQuery, withQuery } from "./router";
import { routes } from "./routes";

test.each([
  ["/runs/:id", "/runs/abc", { id: "abc" }],
  ["/runs/:id", "/runs/abc/", { id: "abc" }],
  ["/runs/:id", "/runs/a%2Fb", { id: "a/b" }],
  ["/runs/:id", "/runs/%E0%A4%A", { id: "%E0%A4%A" }],
  ["/runs/:id", "/runs", null],
  ["/runs/:id", "/runs/a/final", null],
  ["/", "/", {}],
])("%s matches %s as %o", (pattern, path, params) => {
  expect(match(pattern, path)).toEqual(params);
});

test("no path matches two routes", () => {
  const filled = routes().map((route) => route.pattern.replaceAll(/:\w+/g, "x"));
  for (const path of filled) expect(routes().filter((route) => match(route.pattern, path) !== null)).toHaveLength(1);
});

test("a query is changed without losing the rest of it", () => {
  expect(withQuery("/runs?a=1&b=2", { b: null, c: 3 })).toBe("/runs?a=1&c=3");
  expect(withQuery("/runs?a=1", { a: "" })).toBe("/runs");
});

function Filter() {
  const query = useQuery();
  return (
    <>
      <output>{`${query.get("q", "nothing")} ${query.number("at") ?? "none"}`}</output>
      <button onClick={() => query.set({ q: "words", at: 7 })}>set</button>
      <Link to="/runs/1?q=linked">link</Link>
    </>
  );
}

test("values in the URL are shown, and set values are in the URL", () => {
  window.history.replaceState(null, "", "/?at=x");
  render(<Filter />);
  expect(screen.getByRole("status").textContent).toBe("nothing none");
  fireEvent.click(screen.getByText("set"));
  expect(screen.getByRole("status").textContent).toBe("words 7");
  expect(window.location.search).toBe("?at=7&q=words");
  fireEvent.click(screen.getByText("link"));
  expect(window.location.pathname).toBe("/runs/1");
  expect(screen.getByRole("status").textContent).toBe("linked none");
});

test("the back button restores the previous state", () => {
  window.history.replaceState(null, "", "/?q=first");
  render(<Filter />);
  act(() => {
    window.history.replaceState(null, "", "/?q=before");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  expect(screen.getByRole("status").textContent).toBe("before none");
});
