import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { OpenedPanel } from "./OpenedPanel";

const FILE = { file_id: "9f2c51d07ab3e648", run_id: "01980000-0000-7000-8000-000000000000", events: 12, blobs: 0, opened_at: "2026-01-01T12:00:00Z" };

/** A server with one open file; `close` is its response to closing. */
function serving(close: () => Response): void {
  let open = [FILE];
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
    if (init?.method !== "DELETE") return Promise.resolve(Response.json({ files: open, most: 1 }));
    const answer = close();
    if (answer.ok && String(input).endsWith(FILE.file_id)) open = [];
    return Promise.resolve(answer);
  });
}

async function close(): Promise<void> {
  render(<OpenedPanel />);
  fireEvent.click(await screen.findByRole("button", { name: /Close the file/ }));
}

test("a file that is closed is gone from the list", async () => {
  serving(() => new Response(null, { status: 204 }));
  await close();
  expect(await screen.findByText("No file is open")).toBeTruthy();
});

test("a file that cannot be closed stays in the list, with the reason", async () => {
  serving(() => Response.json({ title: "Too Many Requests", code: "too_many_requests" }, { status: 429 }));
  await close();
  expect((await screen.findByRole("alert")).textContent).toContain("Too Many Requests");
  expect(screen.getByRole("button", { name: /Close the file/ })).toBeTruthy();
});
