import { useId } from "react";
import type { ReactNode } from "react";

interface PanelProps {
  /** The value of `data-panel`, by which browser tests find it. */
  name: string;
  title: string;
  /** One line under the title. */
  note?: ReactNode;
  /** Controls to the right of the title. */
  actions?: ReactNode;
  /** The heading level; 3 for a panel inside another panel. */
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
  /** The exact value, if the text is rounded or in words. */
  raw?: number | string | null | undefined;
  children: ReactNode;
}

/** A value marked for tests. */
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

/** One figure with its label. */
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
