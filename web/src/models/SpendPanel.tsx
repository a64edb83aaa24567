/** The cost of model calls over all runs, grouped by model, role or run. */

import { Amount, DataTable, Empty, Figure, Figures, Loads, Meter, Money, Panel, SelectField, ShortId, Status, Value } from "../parts";
import type { Column } from "../parts";
import { Link, useQuery } from "../shell/router";
import { pagePath } from "../wire/api";
import type { Loaded } from "../wire/useLoaded";
import { grouped, GROUPINGS, isGrouping } from "./spend";
import type { Grouping, SpendGroup } from "./spend";
import type { Spend } from "./types";

const TITLES: Readonly<Record<Grouping, string>> = { model: "Model", role: "Role", run: "Run" };

function columns(by: Grouping): Column<SpendGroup>[] {
  return [
    { name: "name", title: TITLES[by], head: true, by: (row) => row.name, cell: (row) => <Named by={by} group={row} /> },
    { name: "calls", title: "Calls", numeric: true, by: (row) => row.calls, cell: (row) => <Amount value={row.calls} /> },
    {
      name: "failures",
      title: "Failures",
      numeric: true,
      by: (row) => row.failures,
      cell: (row) => <Failures count={row.failures} />,
    },
    {
      name: "in",
      title: "Tokens in",
      numeric: true,
      by: (row) => row.tokens_in,
      cell: (row) => <Amount value={row.tokens_in} />,
    },
    {
      name: "out",
      title: "Tokens out",
      numeric: true,
      by: (row) => row.tokens_out,
      cell: (row) => <Amount value={row.tokens_out} />,
    },
    {
      name: "cost",
      title: "Cost",
      numeric: true,
      by: (row) => row.cost_microusd,
      cell: (row) => (
        <Value name={`cost-${row.key}`} raw={row.cost_microusd}>
          <Money microusd={row.cost_microusd} />
        </Value>
      ),
    },
    {
      name: "share",
      title: "Share",
      by: (row) => row.share,
      cell: (row) => <Meter value={row.share} of={1} label={`Share of ${row.name}`} high={2} />,
    },
  ];
}

function Failures({ count }: { count: number }) {
  return count === 0 ? <span>0</span> : <Status of="check" value="warning" label={String(count)} />;
}

function Named({ by, group }: { by: Grouping; group: SpendGroup }) {
  if (by !== "run") return <code>{group.name}</code>;
  return (
    <>
      <Link to={pagePath(group.key)}>{group.name}</Link> <ShortId id={group.key} />
    </>
  );
}

export function SpendPanel({ spend }: { spend: Loaded<Spend> }) {
  return (
    <Panel name="spend" title="Spend" note="All recorded calls of all runs in this log.">
      <Loads of={spend} what="the spend">
        {(data) => (data.total.calls === 0 ? <NothingSpent /> : <Spent spend={data} />)}
      </Loads>
    </Panel>
  );
}

function NothingSpent() {
  return (
    <Empty title="No run has called a model">
      Runs are offline until you configure a model: add a provider to <code>mendel.toml</code> under{" "}
      <code>[llm.providers.NAME]</code>, set <code>profile = "live"</code> in <code>[llm]</code> or{" "}
      <code>MENDEL_LLM__PROFILE=live</code>, and check the routes with <code>mendel models list</code>. Offline runs
      cost nothing.
    </Empty>
  );
}

function Spent({ spend }: { spend: Spend }) {
  const query = useQuery();
  const asked = query.get("by", "model");
  const by = isGrouping(asked) ? asked : "model";
  const { total } = spend;
  return (
    <>
      <Figures>
        <Figure label="Cost" name="total-cost" raw={total.cost_microusd}>
          <Money microusd={total.cost_microusd} />
        </Figure>
        <Figure label="Calls" name="total-calls" raw={total.calls}>
          <Amount value={total.calls} />
        </Figure>
        <Figure label="Failures" name="total-failures" raw={total.failures}>
          <Amount value={total.failures} />
        </Figure>
        <Figure label="Tokens in" name="total-tokens-in" raw={total.tokens_in}>
          <Amount value={total.tokens_in} />
        </Figure>
        <Figure label="Tokens out" name="total-tokens-out" raw={total.tokens_out}>
          <Amount value={total.tokens_out} />
        </Figure>
      </Figures>
      <SelectField
        label="Group by"
        value={by}
        options={GROUPINGS.map((value) => ({ value, label: TITLES[value] }))}
        onChange={(value) => query.set({ by: value === "model" ? null : value })}
      />
      <DataTable
        caption={`Spend by ${by}`}
        columns={columns(by)}
        rows={grouped(spend, by)}
        keyOf={(group) => group.key}
      />
    </>
  );
}
