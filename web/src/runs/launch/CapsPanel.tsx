import { Panel, Shape } from "../../parts";
import { clamped, isSet, sliderOf, valueAt } from "./caps";
import type { CapField } from "./caps";

type Typed = Readonly<Record<string, string>>;

interface CapsPanelProps {
  fields: readonly CapField[];
  typed: Typed;
  errors: Readonly<Record<string, string>>;
  onChange: (typed: Typed) => void;
}

/** The caps of the run; values above the server's ceilings are clamped. */
export function CapsPanel({ fields, typed, errors, onChange }: CapsPanelProps) {
  return (
    <Panel
      name="caps"
      title="Limits"
      note="Limits that are not set follow from the inputs. No limit may exceed this server's ceiling, and a run cannot raise its own limits."
    >
      <div className="launch-caps">
        {fields.map((field) => (
          <CapRow
            key={field.name}
            field={field}
            typed={typed[field.name]}
            error={errors[field.name]}
            onChange={(text) => onChange({ ...typed, [field.name]: text })}
          />
        ))}
      </div>
    </Panel>
  );
}

interface CapRowProps {
  field: CapField;
  typed: string | undefined;
  error: string | undefined;
  onChange: (text: string) => void;
}

function CapRow({ field, typed, error, onChange }: CapRowProps) {
  const set = isSet(typed);
  const { value, note } = set ? clamped(typed, field) : { value: field.initial, note: null };
  const id = `cap-${field.name}`;
  const wrong = error ?? note;
  return (
    <div className={set ? "launch-cap" : "launch-cap launch-unset"} data-field={field.name}>
      <label htmlFor={id}>
        {field.label} {field.unit !== "" && <span className="muted">{field.unit}</span>}
      </label>
      <input
        id={id}
        className="control"
        type="number"
        min={0}
        max={field.ceiling}
        step={field.scale === 1 ? 1 : "any"}
        value={typed ?? ""}
        placeholder="not set"
        aria-describedby={`${id}-ceiling`}
        aria-invalid={wrong === null ? undefined : true}
        data-value={id}
        data-raw={set ? value : undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => set && onChange(String(value))} // show the clamped value
      />
      <input
        className="launch-slider"
        type="range"
        min={0}
        max={1000}
        value={sliderOf(value, field.ceiling)}
        aria-label={`${field.label}, as a slider`}
        aria-valuetext={set ? value.toLocaleString("en") : "not set"}
        onChange={(event) => onChange(String(valueAt(Number(event.target.value), field)))}
      />
      <span id={`${id}-ceiling`} className="small muted launch-ceiling">
        ceiling {field.ceiling.toLocaleString("en")}
      </span>
      {wrong !== null && (
        <p className="field-error" role="status">
          <Shape shape="triangle" />
          {wrong}
        </p>
      )}
    </div>
  );
}
