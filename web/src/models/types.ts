/** Who answers which role, and what it cost, as the API tells it. No key is ever in it, only a variable's name. */

export interface Price {
  input_usd: number;
  output_usd: number;
}

export interface Source {
  name: string;
  route: string;
  weight: number;
  structured: string;
  key_variable: string | null;
  key_present: boolean;
  /** Per million tokens; null where nobody knows it. */
  price: Price | null;
}

export interface RoleRoute {
  role: string;
  played: boolean;
  overridable: string[];
  sources?: Source[];
  fallback?: Source | null;
  retries?: number;
  asked_at_once?: number;
}

export interface ModelRoutes {
  profile: string | null;
  roles: RoleRoute[];
  without_price: string[];
  offline: Record<string, string[]>;
  remarks?: string[];
}

export interface Amounts {
  calls: number;
  failures: number;
  tokens_in: number;
  tokens_out: number;
  cost_microusd: number;
}

export interface SpendRow extends Amounts {
  provider: string | null;
  model_id: string | null;
  role: string;
}

export interface RunSpend extends Amounts {
  run_id: string;
  problem: string | null;
  status: string | null;
}

export interface Spend {
  total: Amounts;
  by_model: SpendRow[];
  /** The runs in which any model was asked, newest first. */
  runs: RunSpend[];
  next: string | null;
}
