/** The gate: every challenge so far with its verdict, its intervals and its share of the error budget. */

import { useMemo } from "react";

import { GateInterval } from "../../candidate/GateInterval";
import { amount } from "../../parts/formatted";
import { Figure, Figures, Panel } from "../../parts/Panel";
import { Status } from "../../parts/Status";
import { Empty } from "../../parts/states";
import { percent } from "../logic/amounts";
import { budgetsOf, challengesOf } from "../logic/gate";
import type { ChallengeRow, NicheBudget } from "../logic/gate";
import type { RunConfig } from "../../wire/types";
import type { PanelProps } from "../view";
import { CandidateLink } from "./CandidateLink";

const USUAL_ALPHA = 0.05;
const SHOWN = 20;

const figureOf = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);

export function Gate({ view }: PanelProps) {
  const alpha = figureOf(view.config?.alpha, USUAL_ALPHA);
  const before = figureOf(view.config?.challenges_before, 0);
  const { verdicts } = view.moment;
  const challenges = useMemo(() => challengesOf(verdicts, alpha, before), [verdicts, alpha, before]);
  const budgets = useMemo(() => budgetsOf(challenges, alpha, view.config), [challenges, alpha, view.config]);
  return (
    <Panel name="gate" title="Gate" note="Only a verdict of the gate makes a candidate champion. The k-th challenge may spend α·6/(π²k²).">
      <Figures>
        <Figure name="challenges" label="Challenges" raw={challenges.length}>
          {challenges.length}
        </Figure>
        {budgets.map((budget) => (
          <Spent key={budget.niche ?? ""} budget={budget} alpha={alpha} whose={budgets.length > 1 ? (budget.niche ?? firstNiche(view.config)) : null} />
        ))}
      </Figures>
      {budgets.map(({ niche, earlier, spent }) => (
        <Budget key={niche ?? ""} alpha={alpha} earlier={earlier} spent={spent} />
      ))}
      {challenges.length === 0 ? (
        <Empty title="No challenges yet." />
      ) : (
        <ol className="challenges" reversed start={challenges.at(-1)?.k}>
          {challenges.slice(-SHOWN).reverse().map((row) => (
            <Challenge key={row.verdict.id} row={row} view={view} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

const firstNiche = (config: RunConfig | null) => String(config?.niche ?? config?.problem ?? "the first niche");

/** The spent error budget of one niche; `whose` is the niche's name if there are several. */
function Spent({ budget: { spent, earlier }, alpha, whose }: { budget: NicheBudget; alpha: number; whose: string | null }) {
  const note = `of α = ${amount(alpha)}${earlier > 0 ? `, ${amount(earlier, 3)} before this run` : ""}`;
  return (
    <Figure name="error_spent" label={whose === null ? "Error spent" : `Error spent in ${whose}`} raw={spent} note={note}>
      {amount(spent, 3)}
    </Figure>
  );
}

function Budget({ alpha, earlier, spent }: { alpha: number; earlier: number; spent: number }) {
  const share = (value: number) => `${Math.min(100, (value / alpha) * 100)}%`;
  return (
    <div className="budget" role="img" aria-label={`${percent((earlier + spent) / alpha)} of the error budget spent`}>
      <span className="budget-earlier" style={{ width: share(earlier) }} />
      <span className="budget-spent" style={{ width: share(spent) }} />
    </div>
  );
}

function Challenge({ row, view }: PanelProps & { row: ChallengeRow }) {
  const { verdict, k, spent, then } = row;
  return (
    <li className="challenge" data-decision={verdict.decision ?? ""}>
      <p className="row">
        <span className="muted">k = {k}</span>
        <CandidateLink view={view} id={verdict.candidateId} />
        <Status of="decision" value={verdict.decision} />
        {then !== null && <Status of="verdict" value={then} />}
        <span className="muted">
          {verdict.mode ?? "–"}, n = {verdict.n ?? "–"}, spends {amount(spent, 3)}
        </span>
      </p>
      <div className="challenge-intervals">
        {verdict.intervals.map((interval) => (
          <GateInterval key={interval.name} interval={interval} />
        ))}
      </div>
    </li>
  );
}
