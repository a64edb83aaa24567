import { useId } from "react";
import type { ReactNode } from "react";

interface PanelProps {
  /** Under which browser tests find it (`data-panel`). */
  name: string;
  title: string;
  /** One line under the title. */
  note?: ReactNode;
  /** What stands at the right of the title: buttons, switches. */
  actions?: ReactNode;
  /** The rank of the title; 2 unless the panel stands in another. */
  level?: 2 | 3;
  className?: string;
  children: ReactNode;
}

/** A titled section of a page. */
export function Panel({ name, title, note, actions, level = 2, className = "", children }: PanelProps) {
  const id = useId();
  const Title = `h${level}` as const;
  return (
    <section className={`panel ${className}`} data-panel={name} aria-labelledby={id}>
      <header className="panel-head">
        <div>
          <Title id={id} className="panel-title">
            {title}
          </Title>
          {note !== undefined && <p className="panel-note">{note}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}

interface ValueProps {
  name: string;
  /** The plain value, where the text is a rounded or worded one. */
  raw?: number | string | null | undefined;
  children: ReactNode;
}

/** A value that a test may compare. */
export function Value({ name, raw, children }: ValueProps) {
  return (
    <span data-value={name} data-raw={raw ?? undefined}>
      {children}
    </span>
  );
}

/** A row of figures. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}

/** One figure with what it is of. */
export function Figure({ label, name, raw, note, children }: ValueProps & { label: string; note?: ReactNode }) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>
        <Value name={name} raw={raw}>
          {children}
        </Value>
        {note !== undefined && <div className="figure-note">{note}</div>}
      </dd>
    </div>
  );
}
