import { act, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { registerDomain } from "../domains";
import { lazily } from "../parts/lazily";
import { App } from "./App";
import { navigate } from "./router";

const Garden = ({ params }: { params: Readonly<Record<string, string>> }) => <h1>Bed {params.bed ?? "of all peas"}</h1>;

test("a domain built into the page has its own pages and entries in the navigation", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  registerDomain({
    name: "peas",
    title: "Peas",
    routes: [
      { pattern: "", title: "Garden", nav: "The garden", Page: lazily(() => Promise.resolve({ default: Garden })) },
      { pattern: "beds/:bed", title: "Bed", Page: Garden },
    ],
  });
  window.history.replaceState(null, "", "/nowhere");
  render(<App />);
  const entry = within(screen.getByRole("navigation", { name: "Pages" })).getByText("The garden");
  expect(entry.getAttribute("href")).toBe("/domains/peas");
  await act(async () => entry.click());
  expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("Bed of all peas");
  expect(entry.getAttribute("aria-current")).toBe("page");
  await act(async () => navigate("/domains/peas/beds/7"));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Bed 7");
  await act(async () => navigate("/domains/beans"));
  expect(screen.getByText("No page at /domains/beans")).toBeTruthy();
});
