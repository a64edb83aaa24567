/** Founder and winner compared: figures side by side, then the change itself. */

import { Difference, TextView } from "../candidate/Material";
import { numberText } from "../candidate/findings";
import type { Proof } from "../candidate/wire";
import { Panel, Shape, Tabs } from "../parts";
import { useQuery } from "../shell/router";
import { better, changeText, pairsOf } from "./beforeAfter";
import type { Pair, Unit } from "./beforeAfter";

export function BeforeAfter({ proof }: { proof: Proof }) {
  const pairs = pairsOf(proof);
  const k = proof.verdict?.k ?? 1;
  const against =
    k > 1
      ? "The gate compared the winner with the previous champion; the fitness before is the founder's."
      : "The column Before shows the founder.";
  return (
    <Panel name="before-after" title="Before and after" note={against}>
      <div className="stack">
        {pairs.length > 0 && <Pairs pairs={pairs} />}
        <Material proof={proof} />
      </div>
    </Panel>
  );
}

function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="Figures before and after">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" className="numeric">
              Before
            </th>
            <th scope="col" className="numeric">
              After
            </th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <PairRow key={pair.name} pair={pair} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PairRow({ pair }: { pair: Pair }) {
  const winner = better(pair);
  return (
    <tr>
      <th scope="row">{pair.label}</th>
      <td className="numeric" data-value={`before-${pair.name}`} data-raw={pair.before ?? undefined}>
        {valueText(pair.before, pair.unit)}
      </td>
      <td className="numeric" data-value={`after-${pair.name}`} data-raw={pair.after ?? undefined}>
        <strong>{valueText(pair.after, pair.unit)}</strong>
      </td>
      <td>
        <span className={`status status-${winner === "after" ? "good" : winner === "before" ? "bad" : "idle"}`}>
          <Shape shape={winner === "after" ? "check" : winner === "before" ? "triangle" : "dash"} />
          {changeText(pair)}
          {winner !== null && <span className="hidden">, {winner === "after" ? "better" : "worse"}</span>}
        </span>
      </td>
    </tr>
  );
}

function valueText(value: number | null, unit: Unit): string {
  if (value === null) return "–";
  switch (unit) {
    case "seconds":
      return value < 1 ? `${numberText(Number((value * 1000).toPrecision(4)))} ms` : `${numberText(value)} s`;
    case "bytes":
      return `${numberText(Number((value / 1_048_576).toPrecision(4)))} MiB`;
    case "share":
      return `${numberText(value * 100)}%`;
    default:
      return numberText(value);
  }
}

function Material({ proof: { patch, winner, founder } }: { proof: Proof }) {
  const { get, set } = useQuery();
  const tabs = [
    { id: "diff", title: "The change", content: <Difference diff={patch} label="Changes from founder to winner" /> },
    ...(winner === null ? [] : [{ id: "winner", title: "The winner", content: <TextView detail={winner} /> }]),
    ...(founder === null ? [] : [{ id: "founder", title: "The founder", content: <TextView detail={founder} /> }]),
  ];
  return <Tabs label="Texts" tabs={tabs} selected={get("text", "diff")} onSelect={(text) => set({ text: text === "diff" ? null : text })} />;
}
