import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Copyable } from "./Copyable";

const COMMAND = "mendel log verify";

/** A browser with this clipboard and this `execCommand`. */
function browser(clipboard: { writeText: (text: string) => Promise<void> } | undefined, command: () => boolean): void {
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
  Object.defineProperty(document, "execCommand", { configurable: true, value: command });
}

const selected = () => (document.activeElement as HTMLTextAreaElement).value;

beforeEach(() => {
  render(<Copyable text={COMMAND} />);
});

afterEach(() => {
  Reflect.deleteProperty(navigator, "clipboard");
  Reflect.deleteProperty(document, "execCommand");
});

const press = () => fireEvent.click(screen.getByRole("button"));

test("a text is copied to the clipboard", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  browser({ writeText }, () => false);
  press();
  expect(await screen.findByText("Copied")).toBeTruthy();
  expect(writeText).toHaveBeenCalledWith(COMMAND);
});

test.each([
  ["is none", undefined],
  ["refuses", { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
])("if the clipboard %s, the text is copied by selecting it", async (_, clipboard) => {
  const copied: string[] = [];
  browser(clipboard, () => copied.push(selected()) > 0);
  press();
  expect(await screen.findByText("Copied")).toBeTruthy();
  expect(copied).toEqual([COMMAND]);
  expect(document.querySelector("textarea")).toBeNull();
});

test("a failed copy is reported", async () => {
  browser(undefined, () => false);
  press();
  expect(await screen.findByText("Could not copy; select the text and copy it")).toBeTruthy();
  expect(screen.queryByText("Copied")).toBeNull();
});
