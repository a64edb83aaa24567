/** Inline times, money, amounts, ids and names. */

import { Fragment, useSyncExternalStore } from "react";

import { absolute, ago, amount, cut, duration, milliseconds, money, plain, short } from "./formatted";

const TICK = 5_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** The current time, updated every few seconds by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => now);
}

/** A relative time; the full time is in the tooltip. */
export function Time({ at, plain = false }: { at: string | number | null | undefined; plain?: boolean }) {
  const current = Math.max(useNow(), Date.now() - TICK); // the shared clock is stale after its timer was stopped
  if (at === null || at === undefined || Number.isNaN(milliseconds(at))) return <span className="muted">–</span>;
  const whole = absolute(at);
  return (
    <time dateTime={new Date(milliseconds(at)).toISOString()} title={whole}>
      {plain ? whole : ago(milliseconds(at), current)}
    </time>
  );
}

export function Duration({ ms }: { ms: number | null | undefined }) {
  return <span>{duration(ms)}</span>;
}

export function Money({ microusd }: { microusd: number | null | undefined }) {
  return <span title={microusd ? `${amount(microusd)} millionths of a dollar` : undefined}>{money(microusd)}</span>;
}

interface AmountProps {
  value: number | null | undefined;
  unit?: string;
  digits?: number;
}

export function Amount({ value, unit, digits }: AmountProps) {
  return (
    <span title={typeof value === "number" ? String(value) : undefined}>
      {amount(value, digits)}
      {unit !== undefined && value !== null && value !== undefined && <span className="muted"> {unit}</span>}
    </span>
  );
}

/** The end of an id; the full id is in the tooltip. */
export function ShortId({ id }: { id: string }) {
  return (
    <code className="short-id" title={id}>
      {short(id)}
    </code>
  );
}

const MOST_OF_NAME = 300;

/**
 * A user-given name of any length, in at most two lines and with its own text direction. Lines break after punctuation
 * rather than within a word; the tooltip has up to 300 characters.
 */
export function Name({ of }: { of: string }) {
  const pieces = cut(of, MOST_OF_NAME).split(/(?<=[/:_.-])/);
  return (
    <bdi className="name" title={plain(of, MOST_OF_NAME)}>
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
