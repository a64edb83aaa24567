/** The gate's verdicts on a candidate with their intervals, and its adoption, confirmation and revocation. */

import { confidence } from "../guard/bands";
import { Amount, Empty, Figure, Figures, Status, words } from "../parts";
import { GateInterval } from "./GateInterval";
import type { GateInterval as Interval, VerdictItem } from "./wire";

const DECISIONS = {
  adopt: "Adopt: shown to meet the requirements",
  reject: "Reject: shown not to meet the requirements",
  undecided: "Undecided: more cases could decide it",
} as const;

export function Verdicts({ verdicts }: { verdicts: readonly VerdictItem[] }) {
  if (verdicts.length === 0) {
    return <Empty title="Not judged by the gate">Only leading candidates are judged by the gate.</Empty>;
  }
  return (
    <ol className="inspect-list" data-panel="verdicts">
      {verdicts.map((item) => (
        <li key={item.sequence}>{item.what === "verdict" ? <GateVerdict item={item} /> : <Note item={item} />}</li>
      ))}
    </ol>
  );
}

/** One verdict: its decision in words, figures, intervals and reasons. */
export function GateVerdict({ item }: { item: VerdictItem }) {
  const { decision, verdict } = item;
  return (
    <article className="stack">
      <p className="inspect-decision" data-value="decision" data-raw={decision}>
        <Status of="decision" value={decision} label={decision === null ? "unknown" : DECISIONS[decision]} />
      </p>
      <VerdictFigures item={item} />
      {intervalsOf(item).map((interval) => (
        <GateInterval key={interval.name} interval={interval} metric={verdict?.metrics[interval.name]} />
      ))}
      <Reasons item={item} />
    </article>
  );
}

/** The intervals of the verdict, then those of metrics that it did not use. */
function intervalsOf({ intervals, verdict }: VerdictItem): Interval[] {
  const told = [...intervals];
  const known = new Set(told.map(({ name }) => name));
  const more = Object.values(verdict?.metrics ?? {}).map(({ delta }) => ({ ...delta, must_exceed: null, must_stay_below: null }));
  return [...told, ...more.filter(({ name }) => !known.has(name))];
}

function VerdictFigures({ item: { n, alpha, k, mode } }: { item: VerdictItem }) {
  return (
    <Figures>
      <Figure label="Held-out cases" name="n" raw={n}>
        <Amount value={n} />
      </Figure>
      <Figure label="Error spent" name="alpha" raw={alpha} note={alpha === null ? undefined : `${confidence(alpha)} confidence`}>
        {alpha === null ? "–" : `${(100 * alpha).toPrecision(3)}%`}
      </Figure>
      {k != null && (
        <Figure label="Challenge" name="challenge" raw={k} note="in its niche">
          {k}
        </Figure>
      )}
      <Figure label="Mode" name="mode" raw={mode}>
        {mode ?? "–"}
      </Figure>
    </Figures>
  );
}

function Reasons({ item: { verdict, reason, policy, niche, sequence } }: { item: VerdictItem }) {
  const reasons = verdict?.reasons ?? [];
  return (
    <>
      {reasons.length > 0 ? (
        <ul className="inspect-reasons">
          {reasons.map(({ code, message }) => (
            <li key={code + message}>{message}</li>
          ))}
        </ul>
      ) : (
        reason !== null && <p>{reason}</p>
      )}
      <p className="muted small">
        {policy != null && <>Policy {policy}. </>}
        {niche !== null && <>Niche {niche}. </>}
        Event {sequence}.
      </p>
    </>
  );
}

function Note({ item: { what, niche, reason, sequence } }: { item: VerdictItem }) {
  return (
    <p className="row" data-value={`adoption-${what}`}>
      <Status of="verdict" value={what} />
      <span className="muted small">
        {reason ?? niche ?? words(what)}, event {sequence}
      </span>
    </p>
  );
}
