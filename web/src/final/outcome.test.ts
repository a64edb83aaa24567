import { expect, test } from "vitest";

import type { Proof } from "../candidate/wire";
import { outcomeOf } from "./outcome";

const of = (status: Proof["status"], state: Proof["state"], over = true, revoked: unknown[] = []) =>
  outcomeOf({ status, state, over, revoked });

test("a running run has no winner, even if it has adopted a candidate", () => {
  expect(of("running", "confirmed", false)).toMatchObject({ ending: "going", won: false });
});

test("confirmed and only adopted winners are distinguished", () => {
  expect(of("completed", "confirmed")).toMatchObject({ ending: "proven", won: true, tone: "good" });
  expect(of("completed", "adopted")).toMatchObject({ ending: "adopted", won: true, tone: "warn" });
});

test("each end without a winner has its own outcome", () => {
  expect(of("completed", "nothing")).toMatchObject({ ending: "nothing", won: false });
  expect(of("stopped", "nothing")).toMatchObject({ ending: "stopped", won: false });
  expect(of("failed", "nothing")).toMatchObject({ ending: "failed", won: false });
  expect(of("cancelled", "nothing")).toMatchObject({ ending: "cancelled", won: false });
});

test("a revocation takes precedence over the status of the run", () => {
  expect(of("stopped", "nothing", true, [{}])).toMatchObject({ ending: "revoked", won: false });
});

test("a candidate adopted after a revocation is the winner", () => {
  expect(of("completed", "confirmed", true, [{}]).ending).toBe("proven");
});

test("a stopped run may have proven something before", () => {
  expect(of("stopped", "confirmed").won).toBe(true);
});
