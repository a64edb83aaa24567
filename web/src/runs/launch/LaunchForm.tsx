/** The launch form: the domain's inputs, the caps, and the worst-case cost of the run. */

import { useMemo, useRef, useState } from "react";
import type { FormEvent } from "react";

import { domainPage } from "../../domains";
import { Button, CheckField, Panel, SelectField, TextField } from "../../parts";
import { navigate } from "../../shell/router";
import { api, pagePath } from "../../wire/api";
import { asProblem } from "../../wire/problem";
import type { Problem } from "../../wire/problem";
import type { CapsConfig, DomainInfo, RunRequest } from "../../wire/types";
import { capFields, capsToSend } from "./caps";
import { CapsPanel } from "./CapsPanel";
import { fieldsOf, filledIn, initialValues } from "./fields";
import type { Field, FormValues } from "./fields";
import { Inputs } from "./Inputs";
import { fieldErrors, Intents, isUnplaced, requestOf, seedError } from "./request";
import { useEstimate } from "./useEstimate";
import { WorstCase } from "./WorstCase";

/** Request fields that every form has in addition to the domain's inputs. */
const OWN = ["rng_seed", "problem"];

type LaunchSchema = NonNullable<DomainInfo["form"]>;

interface LaunchFormProps {
  domain: DomainInfo;
  form: LaunchSchema;
  caps: CapsConfig;
}

export function LaunchForm({ domain, form, caps }: LaunchFormProps) {
  const fields = useMemo(() => fieldsOf(form.schema), [form.schema]);
  const limits = useMemo(() => capFields(caps.defaults, caps.ceilings), [caps]);
  const [values, setValues] = useState<FormValues>(() => initialValues(fields, form.examples[0]?.inputs));
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [own, setOwn] = useState({ seed: "", problem: "", models: false });
  const [tried, setTried] = useState(false);

  const filled = filledIn(fields, values);
  const seedWrong = seedError(own.seed);
  const ready = Object.keys(filled.errors).length === 0 && seedWrong === null;
  const { part } = form;
  const request = requestOf({ domain: domain.name, inputs: filled.inputs, part, caps: capsToSend(limits, typed), ...own });
  const estimate = useEstimate(ready ? request : null);
  const launch = useLaunch(request);
  const { LaunchForm: Form = Inputs, fieldOfCode } = domainPage(domain.name);
  const problem = launch.problem ?? estimate.problem;
  const told = fieldErrors(problem, fieldOfCode);
  const errors = { ...told.fields, ...(tried ? filled.errors : {}) };
  const shown = new Set([...fields, ...limits].map(({ name }) => name).concat(OWN));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (ready) void launch.start();
    else focusFirst(event.currentTarget);
  };
  return (
    <form className="launch-form" onSubmit={submit} noValidate aria-label={`Launch: ${domain.title}`}>
      <div className="stack">
        <Panel name="inputs" title="What to breed" actions={<Examples form={form} fields={fields} onChoose={setValues} />}>
          <Form fields={fields} values={values} errors={errors} onChange={setValues} />
        </Panel>
        <Panel name="draws" title="Run" note="The same seed and inputs give the same random draws.">
          <div className="launch-own">
            <TextField label="Seed" value={own.seed} inputMode="numeric" placeholder="random if empty" error={seedWrong ?? errors.rng_seed} onChange={(seed) => setOwn({ ...own, seed })} />
            <TextField label="Name" value={own.problem} placeholder="made from the inputs if empty" maxLength={500} error={errors.problem} onChange={(problem) => setOwn({ ...own, problem })} />
            <CheckField label="Use the models configured in the settings" checked={own.models} onChange={(models) => setOwn({ ...own, models })} />
          </div>
        </Panel>
        <CapsPanel fields={limits} typed={typed} errors={told.caps} onChange={setTyped} />
      </div>
      <aside className="launch-side">
        <WorstCase estimate={estimate} ready={ready} problem={problem} beside={isUnplaced(told, shown)}>
          <Button type="submit" kind="primary" busy={launch.busy}>
            Launch
          </Button>
          {tried && !ready && <p className="field-error">Some fields are missing or invalid: see their messages.</p>}
        </WorstCase>
      </aside>
    </form>
  );
}

function focusFirst(form: EventTarget & Element): void {
  setTimeout(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()); // after the errors are rendered
}

interface ExamplesProps {
  form: LaunchSchema;
  fields: readonly Field[];
  onChoose: (values: FormValues) => void;
}

function Examples({ form, fields, onChoose }: ExamplesProps) {
  const [shown, setShown] = useState("0");
  if (form.examples.length === 0) return null;
  const choose = (place: string) => {
    setShown(place);
    onChoose(initialValues(fields, form.examples[Number(place)]?.inputs ?? {}));
  };
  const options = form.examples.map(({ title }, place) => ({ value: String(place), label: title }));
  return <SelectField label="Example" value={shown} options={[...options, { value: "-1", label: "none: start empty" }]} onChange={choose} />;
}

/** Launches each request once, however often the button is pressed. A rejection is shown until the request changes. */
function useLaunch(request: RunRequest) {
  const intents = useRef(new Intents());
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ readonly asked: string; readonly problem: Problem } | null>(null);
  const asked = JSON.stringify(request);
  const start = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { run_id } = await api.launch(request, { key: intents.current.keyFor(request) });
      intents.current.done();
      navigate(pagePath(run_id));
    } catch (error) {
      setRefused({ asked, problem: asProblem(error) });
    } finally {
      setBusy(false);
    }
  };
  return { start, busy, problem: refused?.asked === asked ? refused.problem : null };
}
