import { Component } from "react";
import type { ReactNode } from "react";

import { PAGE_CHANGED } from "../parts/lazily";
import { Failed } from "../parts/states";
import { asProblem } from "../wire/problem";

interface State {
  readonly error: unknown;
}

/** Catches errors of its children and shows them; the rest of the page keeps working. */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    const problem = asProblem(this.state.error);
    const again = () => this.setState({ error: null });
    return <Failed problem={problem} retry={problem.code === PAGE_CHANGED ? () => window.location.reload() : again} />;
  }
}
