/** Errors of the API (application/problem+json), and network errors. */

export interface FieldProblem {
  readonly where: string;
  readonly message: string;
}

interface Told {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly hint?: unknown;
  readonly fields?: unknown;
}

/** The reason why a call failed. `status` is 0 if the server was not reached. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly code: string,
    readonly hint: string | null = null,
    readonly fields: readonly FieldProblem[] = [],
  ) {
    super(detail === "" ? title : `${title}: ${detail}`);
  }

  /** Whether the server was not reached: it or the network is down. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** The problem in an error response, whatever its format. */
export async function problemOf(answer: Response): Promise<Problem> {
  const told = await bodyOf(answer);
  const title = text(told.title, answer.statusText || `The server responded with status ${answer.status}`);
  const hint = typeof told.hint === "string" ? told.hint : null;
  const detail = text(told.detail, "");
  return new Problem(answer.status, title, detail, text(told.code, `http_${answer.status}`), hint, fieldsOf(told.fields));
}

/** The problem of a call without a response. */
export function unreachable(cause: unknown): Problem {
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = "Is `mendel serve` still running?";
  return new Problem(0, "The server does not respond", why, "unreachable", hint);
}

/** Any error as a problem, for display. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new Problem(0, "An error in this page", why, "page_error", "Reload the page. If the error occurs again, report it.");
}

async function bodyOf(answer: Response): Promise<Told> {
  try {
    const body: unknown = await answer.json();
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

function fieldsOf(told: unknown): FieldProblem[] {
  if (!Array.isArray(told)) return [];
  return told.flatMap((each: unknown) => (isField(each) ? [each] : []));
}

function isField(value: unknown): value is FieldProblem {
  if (typeof value !== "object" || value === null) return false;
  const { where, message } = value as Partial<FieldProblem>;
  return typeof where === "string" && typeof message === "string";
}
