import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";

import { get, post } from "../wire/client";
import { setToken } from "../wire/token";
import { TokenPrompt } from "./TokenPrompt";

const RIGHT = "the-right-token";

interface Seen {
  readonly path: string;
  readonly key: string | null;
  readonly token: string | null;
}

let seen: Seen[] = [];

/** A server that rejects every request without the token. */
function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const [path, sent] = [String(input), headers.get("Authorization")];
  seen.push({ path, key: headers.get("Idempotency-Key"), token: sent });
  const refused = { title: "Unauthorized", code: "token_required", detail: "a token is needed" };
  return Promise.resolve(sent === `Bearer ${RIGHT}` ? Response.json({ path }) : Response.json(refused, { status: 401 }));
}

beforeEach(() => {
  seen = [];
  setToken(null);
  vi.stubGlobal("fetch", answer);
  render(<TokenPrompt />);
});

async function give(token: string): Promise<void> {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText("Token"), token);
  await user.click(screen.getByText("Continue"));
}

test("rejected calls ask for the token once, and are retried with their idempotency keys", async () => {
  const wanted = Promise.all([get("/api/runs"), post("/api/runs/r/stop", {}, { key: "mine" })]);
  await give(RIGHT);
  expect(await wanted).toEqual([{ path: "/api/runs" }, { path: "/api/runs/r/stop" }]);
  const stops = seen.filter(({ path }) => path.endsWith("stop"));
  expect(stops.map(({ key, token }) => [key, token])).toEqual([
    ["mine", null],
    ["mine", `Bearer ${RIGHT}`],
  ]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a wrong token is reported, and asked for again", async () => {
  const wanted = get("/api/runs");
  await give("guessed");
  await screen.findByText(/is not the server's/);
  await give(RIGHT);
  expect(await wanted).toEqual({ path: "/api/runs" });
});

test("after declining, automatic calls do not ask again, but user actions do", async () => {
  const refused = get("/api/runs").catch((problem: unknown) => problem);
  await userEvent.setup().click(await screen.findByText("Not now"));
  expect(await refused).toMatchObject({ code: "token_required" });
  await expect(get("/api/runs")).rejects.toMatchObject({ code: "token_required" });
  expect(screen.queryByRole("dialog")).toBeNull();
  const wanted = post("/api/runs", {});
  await give(RIGHT);
  await waitFor(async () => expect(await wanted).toEqual({ path: "/api/runs" }));
});
