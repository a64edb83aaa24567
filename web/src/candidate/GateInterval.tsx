/** An interval drawn against its required range, with a description in words. */

import type { CSSProperties } from "react";

import { bandState, confidence, needed, OUTCOMES, titleOf, told } from "../guard/bands";
import { Shape, words } from "../parts";
import { bandOf, isRatio } from "./demands";
import { drawn } from "./geometry";
import type { Drawn } from "./geometry";
import type { JudgedInterval as Interval } from "../wire/types";
import type { Metric } from "./wire";
import "./candidate.css";

const SHAPES = { cleared: "check", missed: "cross", open: "ring", none: "dash" } as const;
const TONES = { cleared: "good", missed: "bad", open: "warn", none: "idle" } as const;

const at = (share: number): CSSProperties => ({ left: `${share * 100}%` });
const span = (from: number, to: number): CSSProperties => ({ left: `${from * 100}%`, width: `${(to - from) * 100}%` });

export function GateInterval({ interval, metric }: { interval: Interval; metric?: Metric | undefined }) {
  const band = bandOf(interval, metric);
  const ratio = isRatio(interval, metric);
  const { title, what, rate } = titleOf(interval.name);
  const state = bandState(interval, band);
  const say = (value: number | null) => told(value, rate);
  const range = rangeText(interval, say);
  const name = capital(ratio ? `${words(title)}, as a share of the baseline's` : words(title));
  const demand = band.low === null && band.high === null ? "" : `; needed: ${needed(band, rate)}`;
  return (
    <figure className="gate" data-interval={interval.name}>
      <figcaption>
        <strong>{name}</strong>
        {what !== "" && <span className="muted small"> {what}</span>}
      </figcaption>
      <div className="gate-drawing" role="img" aria-label={`${name}: ${say(interval.estimate)}, ${range}${demand}`}>
        <Drawing drawn={drawn(interval, band, ratio)} say={say} />
      </div>
      <p>
        <span data-value={`estimate-${interval.name}`} data-raw={interval.estimate}>
          {say(interval.estimate)}
        </span>
        , <span data-value={`range-${interval.name}`}>{range}</span>{" "}
        <span className="muted">
          ({confidence(interval.alpha)} confidence, {words(interval.method)}
          {demand})
        </span>
      </p>
      {state !== "none" && (
        <p className={`status status-${TONES[state]} gate-word`} data-value={`cleared-${interval.name}`} data-raw={state}>
          <Shape shape={SHAPES[state]} />
          {OUTCOMES[state]}
        </p>
      )}
    </figure>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function rangeText({ lower, upper }: Interval, say: (value: number | null) => string): string {
  if (lower !== null && upper !== null) return `${say(lower)} to ${say(upper)}`;
  if (lower !== null) return `at least ${say(lower)}`;
  return upper === null ? "without bounds" : `at most ${say(upper)}`;
}

function Drawing({ drawn: { allowed, lines, ticks, from, to, estimate, openLeft, openRight }, say }: { drawn: Drawn; say: (value: number) => string }) {
  const ends = `${openLeft ? " gate-open-left" : ""}${openRight ? " gate-open-right" : ""}`;
  return (
    <>
      {allowed !== null && <span className="gate-allowed" style={span(allowed.from, allowed.to)} />}
      <span className="gate-axis" />
      {lines.map((line) => (
        <span key={line.value} className="gate-line" style={at(line.at)} />
      ))}
      <span className={`gate-bar${ends}`} style={span(from, to)} />
      <span className="gate-estimate" style={at(estimate)} />
      {ticks.map((tick) => (
        <span key={tick.value} className="gate-tick" style={at(tick.at)}>
          {say(tick.value)}
        </span>
      ))}
    </>
  );
}
