/** Icons of the player as drawings, because fonts may lack the characters. */

const PATHS = {
  play: "M5 3l12 7-12 7z",
  pause: "M5 3h4v14H5zM11 3h4v14h-4z",
  back: "M14 3v14L5 10z",
  on: "M6 3v14l9-7z",
  first: "M4 3h2v14H4zM16 3v14L7 10z",
  last: "M14 3h2v14h-2zM4 3v14l9-7z",
  before: "M9 3v14L2 10zM14.5 5l1.5 3.2 3.5.4-2.6 2.4.7 3.5-3.1-1.8-3.1 1.8.7-3.5L9.5 8.6l3.5-.4z",
  after: "M11 3v14l7-7zM5.5 5l-1.5 3.2-3.5.4 2.6 2.4-.7 3.5 3.1-1.8 3.1 1.8-.7-3.5L10.5 8.6 7 8.2z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="run-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="currentColor" />
    </svg>
  );
}
