/** Buttons, banners and fields. */

import { useId } from "react";
import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode } from "react";

import { Link } from "../shell/router";
import { Shape } from "./Status";

export type ButtonKind = "primary" | "plain" | "danger" | "quiet";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  /** An action is in progress: the button is disabled. */
  busy?: boolean;
}

export function Button({ kind = "plain", busy = false, disabled = false, className = "", children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button button-${kind} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ to, kind = "plain", children }: { to: string; kind?: ButtonKind; children: ReactNode }) {
  return (
    <Link to={to} className={`button button-${kind}`}>
      {children}
    </Link>
  );
}

export function Hidden({ children }: { children: ReactNode }) {
  return <div className="hidden">{children}</div>;
}

const BANNER_SHAPES = { info: "diamond", good: "check", warn: "triangle", bad: "triangle" } as const;

interface BannerProps {
  kind: keyof typeof BANNER_SHAPES;
  title?: string;
  name?: string;
  children?: ReactNode;
}

/** A message about the whole page or panel; screen readers announce a bad one at once. */
export function Banner({ kind, title, name, children }: BannerProps) {
  return (
    <div className={`banner banner-${kind}`} role={kind === "bad" ? "alert" : "status"} data-banner={name}>
      <span className={`status-${kind}`}>
        <Shape shape={BANNER_SHAPES[kind]} />
      </span>
      <div>
        {title !== undefined && <strong>{title}. </strong>}
        {children}
      </div>
    </div>
  );
}

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
}

export interface FieldControl {
  readonly id: string;
  readonly className: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A control with its label, hint and error, linked for screen readers. */
export function Field({ label, hint, error, children }: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const wrong = error !== null && error !== undefined && error !== "";
  const about = [hint === undefined ? "" : `${id}-hint`, wrong ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: "control",
        "aria-describedby": about === "" ? undefined : about,
        "aria-invalid": wrong || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {wrong && (
        <p id={`${id}-error`} className="field-error">
          <Shape shape="cross" />
          {error}
        </p>
      )}
    </div>
  );
}

type Own = "value" | "onChange" | "children";
type InputRest = Omit<InputHTMLAttributes<HTMLInputElement>, Own>;

interface TextFieldProps extends FieldProps, InputRest {
  value: string;
  onChange: (value: string) => void;
  /** Number of lines; makes it a text area. */
  rows?: number;
}

export function TextField({ label, hint, error, value, onChange, rows, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        rows === undefined ? (
          <input type="text" {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <textarea
            {...control}
            rows={rows}
            value={value}
            placeholder={rest.placeholder}
            required={rest.required}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

interface NumberFieldProps extends FieldProps, InputRest {
  /** Null while it is empty or not a number. */
  value: number | null;
  onChange: (value: number | null) => void;
}

export function NumberField({ label, hint, error, value, onChange, ...rest }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input
          type="number"
          {...rest}
          {...control}
          value={value ?? ""}
          onChange={(event) => onChange(Number.isNaN(event.target.valueAsNumber) ? null : event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends FieldProps {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

export function SelectField({ label, hint, error, value, options, onChange }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckFieldProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function CheckField({ label, checked, onChange, disabled }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}
