/** The launch request of a form, and its idempotency key: the same form launches the same run. */

import { newKey } from "../../wire/client";
import type { Problem } from "../../wire/problem";
import type { JsonObject, RunRequest } from "../../wire/types";

export interface Wishes {
  readonly domain: string;
  readonly inputs: JsonObject;
  /** The part of the request that the form fills in. */
  readonly part: "inputs" | "config";
  readonly caps: Readonly<Record<string, number>>;
  /** As typed; empty if the server shall choose one. */
  readonly seed: string;
  readonly problem: string;
  /** Whether the run may use the models configured in the settings. */
  readonly models: boolean;
}

const MOST_SEED = Number.MAX_SAFE_INTEGER;

/** Why a seed is invalid; null if it is valid. */
export function seedError(seed: string): string | null {
  if (seed.trim() === "") return null;
  const value = Number(seed);
  const fits = /^\d+$/.test(seed.trim()) && value <= MOST_SEED;
  return fits ? null : `The seed must be a whole number from 0 to ${MOST_SEED}.`;
}

export function requestOf({ domain, inputs, part, caps, seed, problem, models }: Wishes): RunRequest {
  return {
    domain,
    [part]: inputs,
    ...(models ? { model_profile: "live" } : {}),
    ...(problem.trim() === "" ? {} : { problem: problem.trim() }),
    ...(seed.trim() === "" ? {} : { rng_seed: Number(seed) }),
    ...(Object.keys(caps).length === 0 ? {} : { caps: { ...caps } }),
  };
}

/** Idempotency keys: submitting a form twice launches one run; a changed form launches another. */
export class Intents {
  private told = "";
  private key = "";

  keyFor(request: RunRequest): string {
    const text = JSON.stringify(request);
    if (text !== this.told) {
      this.told = text;
      this.key = newKey();
    }
    return this.key;
  }

  /** Call after a launch: submitting the same form again then launches another run. */
  done(): void {
    this.told = "";
  }
}

export interface FieldErrors {
  readonly fields: Readonly<Record<string, string>>;
  readonly caps: Readonly<Record<string, string>>;
}

/**
 * The fields of the form that a problem of the server is about: `inputs.source` is the field `source`. `fieldOfCode` maps
 * error codes of the domain to fields.
 */
export function fieldErrors(problem: Problem | null, fieldOfCode: Readonly<Record<string, string>> = {}): FieldErrors {
  const fields: Record<string, string> = {};
  const caps: Record<string, string> = {};
  for (const { where, message } of problem?.fields ?? []) {
    const steps = where.split(/[./]/).filter((step) => step !== "" && step !== "body");
    const [room = "", name = ""] = steps;
    if (room === "caps") caps[name] = message;
    else fields[room === "inputs" || room === "config" ? name : room] = message;
  }
  const named = problem === null || problem.fields.length > 0 ? undefined : fieldOfCode[problem.code];
  if (problem !== null && named !== undefined) fields[named] = problem.detail;
  return { fields, caps };
}

/** Whether a problem has a message that no visible field of the form shows. */
export function isUnplaced({ fields, caps }: FieldErrors, shown: ReadonlySet<string>): boolean {
  const told = [...Object.keys(fields), ...Object.keys(caps)];
  return told.length === 0 || told.some((name) => !shown.has(name));
}
