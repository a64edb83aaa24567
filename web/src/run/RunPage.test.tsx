import { act, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";

import { RUN, historyOf, randomRun } from "../../tests/random_run";
import { RunHistory } from "../history";
import type { CandidateAt, Moment } from "../history";
import type { CandidateDetail } from "../wire/types";
import { energyOf } from "./logic/roster";
import RunPage from "./RunPage";
import { FakeServer } from "./testing";

// Generous limits for a busy machine; no test is about timing.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });

const steps = randomRun(11, 240);

function truth(count: number): Moment {
  const history = new RunHistory(RUN);
  history.load(historyOf(steps.slice(0, count)));
  return history.latest();
}

function figure(name: string): string {
  return document.querySelector(`[data-value="${name}"]`)?.getAttribute("data-raw") ?? "";
}

function expectShown(moment: Moment): void {
  expect(figure("events")).toBe(String(moment.totals.events));
  expect(figure("candidates")).toBe(String(moment.totals.candidates));
  expect(figure("scored")).toBe(String(moment.totals.scored));
  expect(figure("best_fitness")).toBe(String(moment.best?.fitness ?? ""));
  expect(figure("energy_spent")).toBe(String(moment.totals.energy));
  expect(figure("cost")).toBe(String(moment.totals.costMicrousd));
  expect(figure("in_flight")).toBe(String(moment.inFlight.length));
  expect(figure("challenges")).toBe(String(moment.verdicts.filter(({ what }) => what === "verdict").length));
}

async function shown(server: FakeServer, replay = false): Promise<void> {
  vi.stubGlobal("fetch", server.fetch);
  render(<RunPage runId={RUN} file={null} replay={replay} />);
  await screen.findByText("a problem");
}

const control = (kind: string) => document.querySelector(`[data-control="${kind}"]`) as HTMLButtonElement;
const mode = () => document.querySelector("[data-panel=banner]")?.getAttribute("data-mode");

beforeEach(() => window.history.replaceState(null, "", "/runs/x"));

test("pushed steps are shown, and duplicates are ignored", async () => {
  const server = new FakeServer(steps, 100);
  await shown(server);
  expectShown(truth(100));
  await waitFor(() => expect(mode()).toBe("live"));
  act(() => server.happen(60, true));
  await waitFor(() => expectShown(truth(160)));
});

test("a broken connection is reported and resumed without losing or duplicating steps", async () => {
  const server = new FakeServer(steps, 100);
  await shown(server);
  await waitFor(() => expect(mode()).toBe("live"));
  act(() => server.happen(20));
  await waitFor(() => expectShown(truth(120)));

  act(() => server.cut());
  await waitFor(() => expect(mode()).toBe("lost"));
  expect(screen.getByText(/nothing is lost/)).toBeTruthy();
  expect(control("stop").getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByText(/the run cannot be controlled until/)).toBeTruthy();
  act(() => server.happen(50));
  expectShown(truth(120));

  act(() => server.mend());
  await waitFor(() => expectShown(truth(170)));
  expect(server.askedAfter).toEqual([99, 119]);
  expect(mode()).toBe("live");
  expect(control("stop").getAttribute("aria-disabled")).toBe("false");
});

test("a replay shows the event in the URL, with all figures as of it", async () => {
  window.history.replaceState(null, "", "/runs/x/replay?at=57");
  await shown(new FakeServer(steps, 200), true);
  expectShown(truth(58));
  expect(mode()).toBe("replay");
  expect(document.querySelector("[data-panel=banner]")?.textContent).toContain("at event 57 of 199");
});

test("keys move the scrubber, and the URL follows", async () => {
  window.history.replaceState(null, "", "/runs/x/replay?at=57");
  await shown(new FakeServer(steps, 200), true);
  const user = userEvent.setup();
  screen.getByLabelText("Event").focus();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expectShown(truth(60));
  await user.keyboard("{Home}");
  expectShown(truth(1));
  await user.keyboard("{End}");
  expectShown(truth(200));
  await waitFor(() => expect(window.location.search).toBe("?at=199"));
});

test.each([
  ["9999", "?at=199&candidate=c"],
  ["-3", "?at=0&candidate=c"],
  ["007", "?at=7&candidate=c"],
  ["yesterday", "?candidate=c"],
  ["1e2", "?candidate=c"],
])("an address with at=%s is corrected, without an entry in the browser's history", async (at, righted) => {
  window.history.replaceState(null, "", `/runs/x/replay?at=${at}&candidate=c`);
  const before = window.history.length;
  await shown(new FakeServer(steps, 200), true);
  await waitFor(() => expect(window.location.search).toBe(righted));
  expect(window.history.length).toBe(before);
});

test("the step buttons jump to generations and adoptions", async () => {
  window.history.replaceState(null, "", "/runs/x/replay?at=0");
  await shown(new FakeServer(steps, 200), true);
  const adopted = truth(200).verdicts.find(({ what }) => what === "adopted");
  const user = userEvent.setup();
  await user.click(screen.getByTitle(/Forward to generation 0/));
  await user.click(screen.getByTitle(/Forward to the (adoption|revocation)/));
  expect(Number(figure("sequence"))).toBeLessThanOrEqual(adopted?.sequence ?? 0);
  expectShown(truth(Number(figure("sequence")) + 1));
});

test("stop asks for confirmation, sends the reason, and shows the outcome", async () => {
  const server = new FakeServer(steps, 100);
  await shown(server);
  const user = userEvent.setup();
  await waitFor(() => expect(mode()).toBe("live"));
  await user.click(control("stop"));
  const dialog = document.querySelector("dialog") as HTMLDialogElement;
  await user.type(within(dialog).getByLabelText("Reason"), "enough");
  await user.click(within(dialog).getByText("Stop the run"));
  await screen.findByText(/Stop was requested/);
  expect(server.posted).toMatchObject([{ path: `/api/runs/${RUN}/stop`, body: '{"reason":"enough"}' }]);
  expect(server.posted[0]?.key).toBeTruthy();
});

test("at the end of a run the outcome of a request disappears, and the conductor is reloaded", async () => {
  const ended = randomRun(11, 110, true);
  const server = new FakeServer(ended, 100);
  await shown(server);
  const user = userEvent.setup();
  await waitFor(() => expect(mode()).toBe("live"));
  await user.click(control("stop"));
  await user.click(within(document.querySelector("dialog") as HTMLDialogElement).getByText("Stop the run"));
  await screen.findByText(/Stop was requested/);
  expect(screen.getByText(/^conducted here$/i)).toBeTruthy();

  server.health = { conducted: "nobody", stalled: false };
  act(() => server.happen(ended.length));
  await waitFor(() => expect(mode()).toBe("ended"));
  expect(screen.queryByText(/Stop was requested/)).toBeNull();
  await waitFor(() => expect(screen.getByText(/^no conductor$/i)).toBeTruthy(), { timeout: 3_000 });
});

test("a run without a conductor is shown as interrupted while connected", async () => {
  const server = new FakeServer(steps, 100);
  server.health = { conducted: "nobody", stalled: true };
  await shown(server);
  await waitFor(() => expect(mode()).toBe("interrupted"));
  const banner = document.querySelector("[data-panel=banner]");
  expect(banner?.textContent).toContain("Interrupted: no conductor");
  expect(banner?.textContent).toContain("Resume");
  act(() => server.cut());
  await waitFor(() => expect(mode()).toBe("lost"));
});

test("a run that has not begun is not interrupted", async () => {
  const server = new FakeServer(steps, 1);
  server.health = { conducted: "nobody", stalled: false };
  await shown(server);
  await screen.findByText(/^no conductor$/i);
  await waitFor(() => expect(mode()).toBe("live"));
});

test("an unavailable control does nothing and gives the reason", async () => {
  window.history.replaceState(null, "", "/runs/x/replay?at=57");
  await shown(new FakeServer(steps, 100), true);
  const stop = control("stop");
  expect(stop.getAttribute("aria-disabled")).toBe("true");
  expect(stop.title).toBe("This is a replay: go live to control the run.");
  await userEvent.setup().click(stop);
  expect(document.querySelector("dialog")).toBeNull();
});

test("a lost connection shows when it is retried, and can be retried at once", async () => {
  const server = new FakeServer(steps, 100);
  await shown(server);
  await waitFor(() => expect(mode()).toBe("live"));
  act(() => server.cut());
  await waitFor(() => expect(Number(figure("reconnect_in"))).toBeGreaterThan(0));
  act(() => server.answer());
  await userEvent.setup().click(screen.getByText("Reconnect now"));
  await waitFor(() => expect(mode()).toBe("live"));
  expect(server.askedAfter).toEqual([99, 99]);
});

test("in a replay the inspector shows the candidate as of that moment", async () => {
  const moment = truth(150);
  const scored = moment.candidates.find(({ fitness, status }) => status === "scored" && fitness !== null);
  const sequence = moment.scoreOf(scored?.id ?? "")?.sequence ?? 0;
  const server = new FakeServer(steps, 200);
  server.candidate = {
    candidate_id: scored?.id ?? "",
    status: "selected",
    birth: scored?.birth ?? 0,
    energy: 30,
    reason: null,
    parents: [],
    fitness: { candidate_id: scored?.id ?? "", total: scored?.fitness ?? 0, components: {}, policy_version: "p", estimated: [], absent: [], descriptor: {}, explanation: "" },
    evidence: [],
    verdicts: [],
    model_calls: [],
    text: null,
    content: { domain: "texts", kind: "text", version: 1, data: {} },
    explanation: { repairs: [], selection: [], adoptions: [] } as unknown as CandidateDetail["explanation"],
  };
  window.history.replaceState(null, "", `/runs/x/replay?at=${sequence}&candidate=${scored?.id}`);
  await shown(server, true);
  await waitFor(() => expect(figure("candidate-status")).toBe("scored"));
  expect(figure("candidate-fitness")).toBe(String(scored?.fitness));
  const then = truth(sequence + 1);
  expect(figure("candidate-energy")).toBe(String(energyOf(then, then.candidate(scored?.id ?? "") as CandidateAt)));

  const user = userEvent.setup();
  screen.getByLabelText("Event").focus();
  await user.keyboard("{ArrowLeft}");
  expect(figure("candidate-status")).toBe("created");
  expect(figure("candidate-fitness")).toBe("");
  await user.keyboard("{Home}");
  expect(screen.getByText("Not created yet")).toBeTruthy();
});
