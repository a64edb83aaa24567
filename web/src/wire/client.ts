/** Calls to the API. Errors are thrown as `Problem`; writes carry an idempotency key, so that a retry has no second effect. */

import { reading, takeEarly } from "./early";
import { problemOf, unreachable } from "./problem";
import { noteReach } from "./reach";
import { authorization } from "./token";
import { withToken } from "./tokenWanted";
import type { Asks } from "./tokenWanted";

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly params?: Params;
  /** Whether to ask the user for the token if the server requires it. */
  readonly asks?: Asks;
}

export interface WriteOptions extends CallOptions {
  /** Pass the key of an earlier attempt to retry it. */
  readonly key?: string;
}

/** A path with query parameters; null, undefined and empty ones are left out. */
export function address(path: string, params: Params = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const told = search.toString();
  return told === "" ? path : `${path}?${told}`;
}

/** A new idempotency key; use the same one for all attempts of one action. */
export function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  // Browsers have randomUUID on loopback and HTTPS only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function call(path: string, init: RequestInit, options: CallOptions): Promise<Response> {
  let answer: Response;
  try {
    const signal = options.signal ?? null;
    const whole = address(path, options.params);
    const early = init.method === undefined ? takeEarly(whole) : null;
    answer = await (early ?? fetch(whole, { ...init, signal, credentials: "same-origin" }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error; // aborted by the page, not a failure
    noteReach(false);
    throw unreachable(error);
  }
  noteReach(true);
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

/** GET a JSON response. */
export async function get<T>(path: string, options: CallOptions = {}): Promise<T> {
  const answer = await withToken(() => call(path, reading(), options), options.asks ?? "once");
  return (await answer.json()) as T;
}

/** POST a body: a `Blob` unchanged, anything else as JSON. */
export async function post<T>(path: string, body: unknown, options: WriteOptions = {}): Promise<T> {
  const raw = body instanceof Blob;
  const headers = {
    Accept: "application/json",
    "Content-Type": raw ? body.type || "application/x-ndjson" : "application/json",
    "Idempotency-Key": options.key ?? newKey(),
  };
  const sent = raw ? body : JSON.stringify(body ?? {});
  const attempt = () => call(path, { method: "POST", headers: { ...headers, ...authorization() }, body: sent }, options);
  const answer = await withToken(attempt, options.asks ?? "always");
  return (await answer.json()) as T;
}

/** DELETE a resource. */
export async function remove(path: string, options: WriteOptions = {}): Promise<void> {
  const headers = { Accept: "application/json", "Idempotency-Key": options.key ?? newKey() };
  const attempt = () => call(path, { method: "DELETE", headers: { ...headers, ...authorization() } }, options);
  await withToken(attempt, options.asks ?? "always");
}

/** GET a file. */
export async function fetchFile(path: string): Promise<Blob> {
  const answer = await withToken(() => call(path, { headers: authorization() }, {}), "always");
  return answer.blob();
}
