/** A confidence interval drawn against its threshold, and said in words. */

import type { Interval } from "../wire/types";
import { amount, words } from "./formatted";

const WIDTH = 320;
const HEIGHT = 56;
const LEFT = 16;
const RIGHT = WIDTH - 16;
const MIDDLE = 24;

interface IntervalFigureProps {
  interval: Interval;
  /** What the interval has to clear, where something has to be cleared. */
  threshold?: number | null;
  unit?: string;
  label?: string;
}

export function IntervalFigure({ interval, threshold = null, unit = "", label }: IntervalFigureProps) {
  const name = label ?? words(interval.name);
  const place = scale(interval, threshold);
  const low = interval.lower === null ? LEFT : place(interval.lower);
  const high = interval.upper === null ? RIGHT : place(interval.upper);
  const said = sentence(interval, threshold, unit);
  return (
    <figure className="interval" data-interval={interval.name}>
      <figcaption>{name}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${name}: ${said}`}>
        <line className="interval-axis" x1={LEFT} x2={RIGHT} y1={MIDDLE} y2={MIDDLE} />
        {threshold !== null && <Threshold at={place(threshold)} text={`${amount(threshold)}${unit}`} />}
        <line className="interval-bar" x1={low} x2={high} y1={MIDDLE} y2={MIDDLE} />
        {interval.lower === null ? <Arrow at={low} way={-1} /> : <Cap at={low} />}
        {interval.upper === null ? <Arrow at={high} way={1} /> : <Cap at={high} />}
        <path className="interval-estimate" d={diamond(place(interval.estimate))} />
      </svg>
      <p className="small">
        <span data-value={`interval-${interval.name}`} data-raw={interval.estimate}>
          {said}
        </span>
      </p>
    </figure>
  );
}

function Threshold({ at, text }: { at: number; text: string }) {
  return (
    <g className="interval-threshold">
      <line x1={at} x2={at} y1={6} y2={MIDDLE + 14} />
      <text x={Math.min(Math.max(at, 30), WIDTH - 30)} y={HEIGHT - 3} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

function Cap({ at }: { at: number }) {
  return <line className="interval-cap" x1={at} x2={at} y1={MIDDLE - 7} y2={MIDDLE + 7} />;
}

/** There is no bound on this side. */
function Arrow({ at, way }: { at: number; way: 1 | -1 }) {
  const back = at - way * 8;
  return <path className="interval-cap" d={`M${back} ${MIDDLE - 6} L${at} ${MIDDLE} L${back} ${MIDDLE + 6}`} fill="none" />;
}

function diamond(at: number): string {
  return `M${at} ${MIDDLE - 7} L${at + 6} ${MIDDLE} L${at} ${MIDDLE + 7} L${at - 6} ${MIDDLE} Z`;
}

function scale({ estimate, lower, upper }: Interval, threshold: number | null): (value: number) => number {
  const known = [estimate, lower, upper, threshold].filter((value) => value !== null && Number.isFinite(value)) as number[];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = (high - low || Math.abs(high) || 1) * 0.15;
  const [from, to] = [low - room, high + room];
  return (value) => LEFT + ((value - from) / (to - from)) * (RIGHT - LEFT);
}

/** The interval in words, as anybody can read it out. */
export function sentence(interval: Interval, threshold: number | null, unit = ""): string {
  const { estimate, lower, upper, alpha, method } = interval;
  const value = (number: number) => `${amount(number)}${unit}`;
  const range =
    lower !== null && upper !== null
      ? `between ${value(lower)} and ${value(upper)}`
      : lower !== null
        ? `at least ${value(lower)}`
        : upper !== null
          ? `at most ${value(upper)}`
          : "without bounds";
  const sure = `with ${amount((1 - alpha) * 100, 5)} % confidence`;
  const against = threshold === null ? "" : `; ${verdictOn(interval, threshold)} ${value(threshold)}`;
  return `${value(estimate)}, ${range} ${sure} (${words(method)})${against}`;
}

function verdictOn({ lower, upper }: Interval, threshold: number): string {
  if (lower !== null && lower > threshold) return "all of it is above";
  if (upper !== null && upper < threshold) return "all of it is below";
  return "it does not clear";
}
