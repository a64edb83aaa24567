import { useEffect, useRef, useState } from "react";

import { SelectField, TextField } from "../../parts";
import { useKey } from "../../shell/keys";
import { useQuery } from "../../shell/router";
import { useLoaded } from "../../wire/useLoaded";
import { api } from "../../wire/api";
import { domainPage } from "../../domains";
import type { RunSummary } from "../../wire/types";
import { changed, SORTS, STATUSES } from "../filter";
import type { RunFilter, Sort } from "../filter";

const TYPING = 250;

export function Filters({ filter, runs }: { filter: RunFilter; runs: readonly RunSummary[] }) {
  const { set } = useQuery();
  const change = (to: Partial<Omit<RunFilter, "trail">>) => set(changed(to));
  return (
    <form className="runs-filters" role="search" aria-label="Filter the runs" onSubmit={(event) => event.preventDefault()}>
      <Words value={filter.q} onChange={(q) => change({ q })} />
      <SelectField
        label="Status"
        value={filter.status}
        options={[{ value: "", label: "any" }, ...STATUSES.map((value) => ({ value, label: value }))]}
        onChange={(status) => change({ status })}
      />
      <Domain value={filter.domain} runs={runs} onChange={(domain) => change({ domain })} />
      <SelectField
        label="Order"
        value={filter.sort}
        options={Object.entries(SORTS).map(([value, label]) => ({ value, label }))}
        onChange={(sort) => change({ sort: sort as Sort })}
      />
    </form>
  );
}

/** The search field; its text goes into the URL once the user pauses typing. */
function Words({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onChange(typed);
    }, TYPING);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  useKey("/", "Search the runs", () => box.current?.querySelector("input")?.focus());
  return (
    <div ref={box} className="runs-words">
      <TextField
        label="Search by words or id"
        type="search"
        value={typed}
        placeholder="sort, bad_sort.py, 01a1e6…"
        maxLength={200}
        onChange={setTyped}
      />
    </div>
  );
}

function Domain({ value, runs, onChange }: { value: string; runs: readonly RunSummary[]; onChange: (value: string) => void }) {
  const domains = useLoaded("domains", (signal) => api.domains({ signal }));
  const known = (domains.data ?? []).map(({ name }) => name);
  const seen = runs.flatMap(({ domain }) => (domain === null ? [] : [domain]));
  const names = [...new Set([...known, ...seen, ...(value === "" ? [] : [value])])].sort();
  const options = names.map((name) => ({ value: name, label: domainPage(name).title }));
  return <SelectField label="Domain" value={value} options={[{ value: "", label: "any" }, ...options]} onChange={onChange} />;
}
