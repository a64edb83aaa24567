import { expect, test } from "vitest";

import type { Proof } from "../candidate/wire";
import { outcomeOf } from "./outcome";

const of = (status: Proof["status"], state: Proof["state"], over = true, revoked: unknown[] = []) =>
  outcomeOf({ status, state, over, revoked });

test("a run that goes on has no winner to show, whatever was adopted so far", () => {
  expect(of("running", "confirmed", false)).toMatchObject({ ending: "going", won: false });
});

test("confirmed and merely adopted are told apart", () => {
  expect(of("completed", "confirmed")).toMatchObject({ ending: "proven", won: true, tone: "good" });
  expect(of("completed", "adopted")).toMatchObject({ ending: "adopted", won: true, tone: "warn" });
});

test("an end without a winner is told as what it is", () => {
  expect(of("completed", "nothing")).toMatchObject({ ending: "nothing", won: false });
  expect(of("stopped", "nothing")).toMatchObject({ ending: "stopped", won: false });
  expect(of("failed", "nothing")).toMatchObject({ ending: "failed", won: false });
  expect(of("cancelled", "nothing")).toMatchObject({ ending: "cancelled", won: false });
});

test("a revocation is told before how the run ended", () => {
  expect(of("stopped", "nothing", true, [{}])).toMatchObject({ ending: "revoked", won: false });
});

test("who was adopted after a revocation is the winner", () => {
  expect(of("completed", "confirmed", true, [{}]).ending).toBe("proven");
});

test("a stopped run may have proven something before", () => {
  expect(of("stopped", "confirmed").won).toBe(true);
});
