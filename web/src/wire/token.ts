/** The token that a server away from loopback asks for. It is kept for this tab only. */

const KEY = "mendel.token";

export function token(): string | null {
  return globalThis.sessionStorage?.getItem(KEY) ?? null;
}

/** Keep a token, or forget it. */
export function setToken(value: string | null): void {
  if (value === null || value === "") globalThis.sessionStorage.removeItem(KEY);
  else globalThis.sessionStorage.setItem(KEY, value);
}

/** What goes with every request. */
export function authorization(): Record<string, string> {
  const known = token();
  return known === null ? {} : { Authorization: `Bearer ${known}` };
}
