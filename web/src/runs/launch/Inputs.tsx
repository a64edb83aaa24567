/** Form fields generated from a schema: the default form of a domain's inputs. */

import { useId, useRef } from "react";
import type { KeyboardEvent } from "react";

import { CheckField, Field as Labelled, SelectField, TextField } from "../../parts";
import type { LaunchFormProps } from "../../domains";
import type { Field, FieldValue } from "./fields";

export function Inputs({ fields, values, errors, onChange }: LaunchFormProps) {
  if (fields.length === 0) return <p className="muted">This domain has no inputs.</p>;
  return (
    <div className="launch-inputs">
      {fields.map((field) => (
        <div key={field.name} className={field.kind === "code" || field.kind === "json" ? "launch-wide" : undefined} data-field={field.name}>
          <Input
            field={field}
            value={values[field.name] ?? field.initial}
            error={errors[field.name]}
            onChange={(value) => onChange({ ...values, [field.name]: value })}
          />
        </div>
      ))}
    </div>
  );
}

interface InputProps {
  field: Field;
  value: FieldValue;
  error: string | undefined;
  onChange: (value: FieldValue) => void;
}

function Input({ field, value, error, onChange }: InputProps) {
  const { kind, help, choices } = field;
  const label = field.required ? `${field.label} (required)` : field.label;
  const hint = help === "" ? undefined : help;
  if (typeof value === "boolean") return <CheckField label={hint === undefined ? label : `${label}: ${hint}`} checked={value} onChange={onChange} />;
  if (typeof value !== "string") {
    const lines = (text: string) => onChange(text.split("\n").filter((line) => line !== ""));
    return <TextField label={label} hint={`${help} One per line.`} error={error} rows={3} value={value.join("\n")} onChange={lines} />;
  }
  if (kind === "choice") {
    const options = choices.map((choice) => ({ value: choice, label: choice }));
    const open = field.required ? options : [{ value: "", label: "default" }, ...options];
    return <SelectField label={label} hint={hint} error={error} value={value} options={open} onChange={onChange} />;
  }
  if (kind === "code" || kind === "json") return <CodeField label={label} hint={help} error={error} value={value} required={field.required} onChange={onChange} />;
  return <PlainField field={field} label={label} hint={hint} error={error} value={value} onChange={onChange} />;
}

interface PlainFieldProps extends Omit<InputProps, "value"> {
  label: string;
  hint: string | undefined;
  value: string;
}

function PlainField({ field, label, hint, error, value, onChange }: PlainFieldProps) {
  const id = useId();
  const numeric = field.kind === "integer" || field.kind === "number";
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        error={error}
        value={value}
        inputMode={numeric ? "decimal" : "text"}
        list={field.suggestions.length > 0 ? id : undefined}
        required={field.required}
        autoComplete="off"
        spellCheck={false}
        onChange={onChange}
      />
      {field.suggestions.length > 0 && (
        <datalist id={id}>
          {field.suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface CodeFieldProps {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  required: boolean;
  onChange: (value: string) => void;
}

const INDENT = "    ";
const FEWEST = 4;
const MOST = 26;

/** A source text field. Tab indents; after Escape, Tab leaves the field, so that it does not trap the keyboard focus. */
export function CodeField({ label, hint, error, value, required, onChange }: CodeFieldProps) {
  const leaving = useRef(false);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Escape") leaving.current = true;
    else if (event.key === "Tab" && !event.shiftKey && !leaving.current) indent(event, onChange);
    else if (event.key !== "Tab" && event.key !== "Shift") leaving.current = false;
  };
  const rows = Math.min(MOST, Math.max(FEWEST, value.split("\n").length + 1));
  return (
    <Labelled label={label} hint={`${hint} Tab indents; press Escape, then Tab, to leave.`.trim()} error={error}>
      {(control) => (
        <textarea
          {...control}
          className={`${control.className} launch-code`}
          rows={rows}
          value={value}
          required={required}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          onKeyDown={press}
          onFocus={() => (leaving.current = false)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

function indent(event: KeyboardEvent<HTMLTextAreaElement>, onChange: (value: string) => void): void {
  event.preventDefault();
  const area = event.currentTarget;
  area.setRangeText(INDENT, area.selectionStart, area.selectionEnd, "end");
  onChange(area.value);
}
