/** Small graphics: a sparkline and a meter. */

interface SparklineProps {
  /** Points of a line that holds its value until the next one. */
  points: readonly (readonly [number, number])[];
  /** What it shows, in words. */
  label: string;
  width?: number;
  height?: number;
}

/** A small step chart. */
export function Sparkline({ points, label, width = 120, height = 28 }: SparklineProps) {
  if (points.length === 0) return <span className="muted">–</span>;
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <path d={stepped(points, width, height)} />
    </svg>
  );
}

function stepped(points: readonly (readonly [number, number])[], width: number, height: number): string {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const place = (values: readonly number[], from: number, to: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value: number) => (high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from));
  };
  const [x, y] = [place(xs, 3, width - 3), place(ys, height - 4, 4)];
  const told = points.map(([at, value], index) =>
    index === 0 ? `M${(points.length === 1 ? 3 : x(at)).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at).toFixed(1)} V${y(value).toFixed(1)}`,
  );
  return `${told.join(" ")} H${width - 3}`;
}

interface MeterProps {
  value: number;
  /** The maximum; null if there is none. */
  of: number | null;
  label: string;
  /** The share from which it is shown as a warning. */
  high?: number;
}

/** A bar that shows the used share of a maximum. */
export function Meter({ value, of, label, high = 0.9 }: MeterProps) {
  if (of === null || of <= 0) return null;
  const share = Math.min(Math.max(value / of, 0), 1);
  return (
    <div
      className={`meter ${share >= high ? "meter-high" : ""}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={Math.min(value, of)}
      aria-valuetext={`${Math.round(share * 100)} %`}
    >
      <span style={{ inlineSize: `${share * 100}%` }} />
    </div>
  );
}
