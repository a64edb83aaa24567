/** The slider over a run's events. Its position is the moment that the whole page shows. */

import { useMemo } from "react";
import type { KeyboardEvent } from "react";

import { Icon } from "./Icon";
import type { IconName } from "./Icon";
import type { Playhead } from "./hooks/usePlayhead";
import { SPEEDS, keyLeadsTo } from "./logic/playback";
import { placeOf, thinned, tickAfter, tickBefore } from "./logic/ticks";
import type { Tick } from "./logic/ticks";
import { whole } from "./logic/amounts";

const MOST_TICKS = 200;
const MARKS = { generation: "│", adoption: "★", revocation: "▽" } as const;

interface ScrubberProps {
  readonly head: Playhead;
  readonly last: number;
  /** The events of the whole run worth jumping to, in order. */
  readonly ticks: readonly Tick[];
  /** The time of the moment, in words. */
  readonly when: string;
}

export function Scrubber({ head, last, ticks, when }: ScrubberProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key === " ") {
      event.preventDefault();
      return head.toggle();
    }
    const to = keyLeadsTo(event.key, head.at, last);
    if (to === null) return;
    event.preventDefault();
    head.goTo(to);
  };
  return (
    <section className="scrubber" aria-label="Replay" data-panel="scrubber">
      <div className="scrubber-line">
        <TickMarks ticks={ticks} last={last} />
        <input
          type="range"
          min={0}
          max={Math.max(last, 0)}
          step={1}
          value={head.at}
          onChange={(event) => head.goTo(Number(event.target.value))}
          onKeyDown={press}
          aria-label="Event"
          aria-valuetext={`event ${head.at} of ${last}, ${when}`}
        />
      </div>
      <Buttons head={head} last={last} ticks={ticks} />
    </section>
  );
}

function TickMarks({ ticks, last }: { ticks: readonly Tick[]; last: number }) {
  const drawn = useMemo(() => thinned(ticks, MOST_TICKS), [ticks]);
  return (
    <div className="scrubber-ticks" aria-hidden="true">
      {drawn.map(({ sequence, kind, label }) => (
        <span key={`${kind}:${sequence}`} data-tick={kind} title={label} style={{ left: `${placeOf(sequence, last)}%` }}>
          {MARKS[kind]}
        </span>
      ))}
    </div>
  );
}

function Buttons({ head, last, ticks }: { head: Playhead; last: number; ticks: readonly Tick[] }) {
  const [before, after] = [tickBefore(ticks, head.at), tickAfter(ticks, head.at)];
  return (
    <div className="scrubber-buttons">
      <Step label="To the first event" mark="first" disabled={head.at <= 0} go={() => head.goTo(0)} />
      <Step
        label={before === null ? "No earlier adoption or generation" : `Back to ${before.label}`}
        mark="before"
        disabled={before === null}
        go={() => before && head.goTo(before.sequence)}
      />
      <Step label="One event back" keys="[" mark="back" disabled={head.at <= 0} go={() => head.goTo(head.at - 1)} />
      <button type="button" className="button button-primary play" aria-keyshortcuts="Space" onClick={head.toggle}>
        <Icon name={head.playing ? "pause" : "play"} /> {head.playing ? "Pause" : "Play"}
      </button>
      <Step label="One event forward" keys="]" mark="on" disabled={head.at >= last} go={() => head.goTo(head.at + 1)} />
      <Step
        label={after === null ? "No later adoption or generation" : `Forward to ${after.label}`}
        mark="after"
        disabled={after === null}
        go={() => after && head.goTo(after.sequence)}
      />
      <Step label="To the last event" mark="last" disabled={head.at >= last} go={() => head.goTo(last)} />
      <label className="speed">
        <span className="speed-name">Speed</span>
        <select className="control" value={head.speed} onChange={(event) => head.setSpeed(Number(event.target.value))}>
          {SPEEDS.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <output className="scrubber-at" data-value="sequence" data-raw={head.at}>
        {whole(head.at)} / {whole(last)}
      </output>
    </div>
  );
}

interface StepProps {
  readonly label: string;
  readonly mark: IconName;
  readonly keys?: string;
  readonly disabled: boolean;
  readonly go: () => void;
}

function Step({ label, mark, keys, disabled, go }: StepProps) {
  return (
    <button type="button" className={`button icon icon-${mark}`} title={label} aria-label={label} aria-keyshortcuts={keys} disabled={disabled} onClick={go}>
      <Icon name={mark} />
    </button>
  );
}
