/** The ancestry of a genome: its line back to a founder, through the fitter parent at each step. */

import { type ReactElement, useMemo } from "react";
import { counted, figure, lookOf, words } from "./kinds";
import { ancestorsOf, descendantsOf, type Forebear, lineOf, type Scene } from "./scene";
import { Shape } from "./Shape";

interface AncestorsProps {
  readonly scene: Scene;
  readonly id: string;
  readonly onSelect: (id: string) => void;
}

const LONGEST = 40;

export function Ancestors({ scene, id, onSelect }: AncestorsProps): ReactElement | null {
  const index = scene.indexOf(id);
  const line = useMemo(() => (index === undefined ? [] : lineOf(scene, index)), [scene, index]);
  if (index === undefined) return null;
  const ancestors = ancestorsOf(scene, index).size;
  const descendants = descendantsOf(scene, index).size;
  return (
    <section className="lineage-ancestors" aria-label="Ancestors of the selected genome" tabIndex={0}>
      <h3>Line of {scene.nodes[index]?.label}</h3>
      <p>
        <span data-value="ancestors" data-raw={ancestors}>
          {counted(ancestors, "ancestor")}
        </span>
        {", "}
        <span data-value="descendants" data-raw={descendants}>
          {counted(descendants, "descendant")}
        </span>
      </p>
      <ol>
        {line.slice(0, LONGEST).map((step, place) => (
          <Step key={step.index} scene={scene} step={step} isFirst={place === 0} onSelect={onSelect} />
        ))}
      </ol>
      {line.length > LONGEST && <p>… and {counted(line.length - LONGEST, "generation")} before</p>}
    </section>
  );
}

interface StepProps {
  readonly scene: Scene;
  readonly step: Forebear;
  readonly isFirst: boolean;
  readonly onSelect: (id: string) => void;
}

function Step({ scene, step, isFirst, onSelect }: StepProps): ReactElement | null {
  const node = scene.nodes[step.index];
  if (node === undefined) return null;
  return (
    <li>
      <span className="lineage-step">
        <Shape look={lookOf(node)} />
        {isFirst ? <strong>{node.label}</strong> : <Link scene={scene} index={step.index} onSelect={onSelect} />}
        <span className="lineage-figure">{node.fitness === null ? "–" : figure(node.fitness)}</span>
      </span>
      <span className="lineage-made">
        {node.operator === null ? "founder" : `by ${words(node.operator)}`}
        {step.others.length > 0 && " with "}
        {step.others.map((other) => (
          <Link key={other} scene={scene} index={other} onSelect={onSelect} />
        ))}
      </span>
    </li>
  );
}

interface LinkProps {
  readonly scene: Scene;
  readonly index: number;
  readonly onSelect: (id: string) => void;
}

function Link({ scene, index, onSelect }: LinkProps): ReactElement | null {
  const node = scene.nodes[index];
  if (node === undefined) return null;
  return (
    <button type="button" className="lineage-link" onClick={() => onSelect(node.id)}>
      {node.label}
    </button>
  );
}
