/** The line style of a run, colour and dash pattern, which is the same in chart, legend and table. */

const DASHES = [[], [8, 4], [2, 4], [10, 4, 2, 4]] as const;
const COLOURS = 7;

export function dashOf(place: number): number[] {
  return [...(DASHES[place % DASHES.length] ?? [])];
}

export function Swatch({ place }: { place: number }) {
  return (
    <svg className="compare-swatch" viewBox="0 0 32 10" width="32" height="10" aria-hidden="true" focusable="false">
      <line x1="0" x2="32" y1="5" y2="5" stroke={`var(--series-${(place % COLOURS) + 1})`} strokeWidth="3" strokeDasharray={dashOf(place).join(" ")} />
    </svg>
  );
}
