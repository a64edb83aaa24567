import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { App } from "./App";
import { navigate } from "./router";
import { setTheme } from "./theme";

beforeEach(() => vi.stubGlobal("fetch", () => new Promise(() => undefined)));
afterEach(() => vi.unstubAllGlobals());

async function shown(path: string): Promise<void> {
  window.history.replaceState(null, "", path);
  render(<App />);
  await act(async () => undefined);
}

test("every page has a skip link, a navigation and one main part", async () => {
  await shown("/nowhere");
  expect(screen.getByText("Skip to content").getAttribute("href")).toBe("#main");
  expect(screen.getByRole("navigation", { name: "Pages" })).toBeTruthy();
  expect(screen.getAllByRole("main")).toHaveLength(1);
});

test("an unknown path is reported, with a link back", async () => {
  await shown("/nowhere/at/all");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("There is no such page");
  expect(screen.getByText("Go to the runs").getAttribute("href")).toBe("/");
});

test("following a link moves the focus to the new page", async () => {
  await shown("/nowhere");
  await act(async () => navigate("/elsewhere"));
  expect(document.activeElement).toBe(screen.getByRole("main"));
  expect(screen.getByText("No page at /elsewhere")).toBeTruthy();
});

test("the question mark lists the shortcuts, but not while typing", async () => {
  await shown("/nowhere");
  fireEvent.keyDown(screen.getByLabelText("Theme"), { key: "?" });
  expect(screen.queryByText("Show this list")).toBeNull();
  fireEvent.keyDown(document.body, { key: "?" });
  expect(screen.getByText("Show this list")).toBeTruthy();
});

test("the theme is applied to the document and stored", async () => {
  setTheme("dark");
  await shown("/nowhere");
  fireEvent.change(screen.getByLabelText("Theme"), { target: { value: "contrast" } });
  expect(document.documentElement.dataset.theme).toBe("contrast");
  expect(window.localStorage.getItem("mendel.theme")).toBe("contrast");
});
