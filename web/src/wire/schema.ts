// Made from openapi.json by `make page-types`; do not edit.

import type { Json } from "./json";

export interface paths {
    readonly "/api/config/caps": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Caps
         * @description What a run has that asks for nothing, and what no run may exceed.
         */
        readonly get: operations["get_caps"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/doctor": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Doctor
         * @description What was found when somebody looked last; nothing is probed.
         */
        readonly get: operations["get_doctor"];
        readonly put?: never;
        /**
         * Probe
         * @description Look now, and keep what is found. It takes a few seconds.
         */
        readonly post: operations["probe"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/domains": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Domains
         * @description Every domain that is installed; `inputs` of a run fit the schema of its form, and the examples do.
         */
        readonly get: operations["list_domains"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Files
         * @description Every file that is open.
         */
        readonly get: operations["list_files"];
        readonly put?: never;
        /**
         * Open File
         * @description Open an exported run: it is read whole, every hash is checked, and it is kept in memory until it is closed.
         */
        readonly post: operations["open_file"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Close File
         * @description Close a file; nothing of it is kept.
         */
        readonly delete: operations["close_file"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Run
         * @description A run and its configuration. Its ETag says who conducts it, too: that changes without an event.
         */
        readonly get: operations["get_run_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/candidates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Candidates
         * @description The candidates of a run, some at a time.
         */
        readonly get: operations["list_candidates_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/candidates/{cid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Candidate
         * @description A candidate: its source, how it differs from its parents, its evidence, verdicts, calls, and why it is so.
         */
        readonly get: operations["get_candidate_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Events
         * @description What stands in the log after an event, in order.
         */
        readonly get: operations["list_events_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export Run
         * @description The run as one file that `mendel log import` and the page's `/open` take; checked while it is written.
         */
        readonly get: operations["export_run_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/final": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Final Proof
         * @description The winner, with the verdict that let it in and the audit after that; a run without one says so.
         */
        readonly get: operations["get_final_proof_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Health
         * @description How the run is doing. Its ETag says who conducts it, too: that changes without an event.
         */
        readonly get: operations["get_health_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get History
         * @description All rows of a run, as columns: what the page shows, live or as it was after any event.
         */
        readonly get: operations["get_history_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/lineage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Lineage
         * @description Who came from whom, and what was found out about it.
         */
        readonly get: operations["get_lineage_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/parameters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Parameters
         * @description The slots, the caps and the parameters of its domain that hold in a run now.
         */
        readonly get: operations["get_parameters_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{file_id}/runs/{run_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Replay
         * @description What a replay goes through and has to arrive at. Nothing is replayed here: `mendel replay` does that.
         */
        readonly get: operations["get_replay_of_file"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/guard/reports": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Reports
         * @description Reports that `mendel guard` has kept here, and the gate's verdicts in all runs.
         */
        readonly get: operations["list_reports"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/guard/reports/{report_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Report
         * @description A decision of the gate with everything that it rests on; a report by hand has both programs, too.
         */
        readonly get: operations["get_report"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/model-routes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Model Routes
         * @description Who answers which role, at what price; of a key only whether it is there. Nobody is asked.
         */
        readonly get: operations["get_model_routes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/models/spend": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Spend
         * @description What was asked and what it cost over all runs: by model and role, and run by run.
         */
        readonly get: operations["get_spend"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Plugins
         * @description Every plug-in that is installed, by the place that it fills; none is loaded.
         */
        readonly get: operations["list_plugins"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Runs
         * @description Every run, some at a time.
         */
        readonly get: operations["list_runs"];
        readonly put?: never;
        /**
         * Launch Run
         * @description Begin a run and have it conducted. Caps above their ceilings are refused, and nothing is recorded.
         */
        readonly post: operations["launch_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Run
         * @description A run and its configuration. Its ETag says who conducts it, too: that changes without an event.
         */
        readonly get: operations["get_run"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel Run
         * @description Call off a run that was configured and has not started.
         */
        readonly post: operations["cancel_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/candidates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Candidates
         * @description The candidates of a run, some at a time.
         */
        readonly get: operations["list_candidates"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/candidates/{cid}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Candidate
         * @description A candidate: its source, how it differs from its parents, its evidence, verdicts, calls, and why it is so.
         */
        readonly get: operations["get_candidate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Events
         * @description What stands in the log after an event, in order.
         */
        readonly get: operations["list_events"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export Run
         * @description The run as one file that `mendel log import` and the page's `/open` take; checked while it is written.
         */
        readonly get: operations["export_run"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/final": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Final Proof
         * @description The winner, with the verdict that let it in and the audit after that; a run without one says so.
         */
        readonly get: operations["get_final_proof"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Health
         * @description How the run is doing. Its ETag says who conducts it, too: that changes without an event.
         */
        readonly get: operations["get_health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get History
         * @description All rows of a run, as columns: what the page shows, live or as it was after any event.
         */
        readonly get: operations["get_history"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/kill": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Kill Run
         * @description End a run at once, whatever is in flight.
         */
        readonly post: operations["kill_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/lineage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Lineage
         * @description Who came from whom, and what was found out about it.
         */
        readonly get: operations["get_lineage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/parameters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Parameters
         * @description The slots, the caps and the parameters of its domain that hold in a run now.
         */
        readonly get: operations["get_parameters"];
        readonly put?: never;
        /**
         * Set Parameters
         * @description Set parameters of a run that is not over; its domain admits its own or says why not.
         *
         *     They hold from the event `command.accepted` on that has the `command_id`; `command.refused` has the reason.
         */
        readonly post: operations["set_parameters"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/proposals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List Proposals
         * @description What was proposed to a run, and what became of it.
         */
        readonly get: operations["list_proposals"];
        readonly put?: never;
        /**
         * Propose
         * @description Propose something to a running run. What its domain says of it is told by `GET`, with the reason.
         */
        readonly post: operations["propose"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Replay
         * @description What a replay goes through and has to arrive at. Nothing is replayed here: `mendel replay` does that.
         */
        readonly get: operations["get_replay"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/resume": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Resume Run
         * @description Conduct a run here that was interrupted, or never begun; nothing that its log holds is done again.
         */
        readonly post: operations["resume_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop Run
         * @description End a run in good order: nothing new starts, what is in flight drains, and the summary is partial.
         */
        readonly post: operations["stop_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Stream Run
         * @description Everything after an event, and what is to come; `Last-Event-ID` takes up where a connection broke off.
         */
        readonly get: operations["stream_run"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/estimate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Estimate Run
         * @description What a run can take at worst. Records nothing, runs nothing, and needs no key.
         */
        readonly post: operations["estimate_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/settings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get Settings
         * @description Every setting, its value and where it comes from: what `mendel config view` prints.
         */
        readonly get: operations["get_settings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/healthz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Healthz
         * @description Whether the process is alive; it needs nothing else.
         */
        readonly get: operations["healthz"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Metrics
         * @description Everything that is counted, in Prometheus's text format.
         */
        readonly get: operations["metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/readyz": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Readyz
         * @description Whether requests can be answered: log and read models answer, the disk has room, services of domains work.
         */
        readonly get: operations["readyz"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Actor
         * @description The eight roles that may stand on an event. No plug-in adds a ninth.
         * @enum {string}
         */
        readonly Actor: "operator" | "runtime" | "genome" | "critic" | "check_runner" | "judge" | "selection" | "gate";
        /**
         * AdoptionNote
         * @description The candidate became its niche's champion, held it, or lost it.
         */
        readonly AdoptionNote: {
            /** Niche */
            readonly niche: string;
            /**
             * Outcome
             * @enum {string}
             */
            readonly outcome: "made" | "confirmed" | "revoked";
            /** Reason */
            readonly reason: string | null;
            /** Replaces */
            readonly replaces: string | null;
            /** Restores */
            readonly restores: string | null;
            /** Sequence */
            readonly sequence: number;
        };
        /**
         * Alive
         * @description The process answers.
         */
        readonly Alive: {
            /**
             * Alive
             * @default true
             * @constant
             */
            readonly alive: true;
        };
        /**
         * Ancestor
         * @description A genome of an earlier run, with its material: a run that begins from it replays without the other.
         *
         *     ``champion`` is set for one that the gate had let in: the champion of ``niche``, where none is named of the run's
         *     first. A niche has at most one. A survivor without that was the fittest of its niche. ``looks``
         *     is its vector, where one was recorded.
         */
        readonly Ancestor: {
            /** Candidate Id */
            readonly candidate_id: string;
            /**
             * Champion
             * @default false
             */
            readonly champion: boolean;
            readonly content: components["schemas"]["DomainPayload"];
            readonly looks?: components["schemas"]["EmbeddingRecord"] | null;
            /** Niche */
            readonly niche: string | null;
            /** Run Id */
            readonly run_id: string;
            readonly traits: components["schemas"]["DomainPayload"];
        };
        /**
         * ArchiveConfig
         * @description Cells of behaviour whose fittest members size limits do not evict while others can go.
         *
         *     ``grid`` has a cell for each combination of bins; ``cvt`` has ``cells`` of about equal size.
         */
        readonly ArchiveConfig: {
            /**
             * Cells
             * @default 128
             */
            readonly cells: number;
            /** Descriptors */
            readonly descriptors: readonly components["schemas"]["Descriptor"][];
            /**
             * Kind
             * @default grid
             * @enum {string}
             */
            readonly kind: "grid" | "cvt";
        };
        /**
         * BarsPart
         * @description The list at ``rows`` as values with their intervals, on one scale.
         *
         *     ``value``, ``low`` and ``high`` are paths within a row, ``label`` the column that names it. On the scale ``ratio``
         *     equal factors are equally far apart. ``reference`` is a value that a line is drawn at.
         */
        readonly BarsPart: {
            /** Caption */
            readonly caption: string;
            /**
             * Format
             * @default number
             * @enum {string}
             */
            readonly format: "text" | "number" | "factor" | "share" | "bytes" | "duration";
            /** High */
            readonly high: string | null;
            readonly label: components["schemas"]["ShownColumn"];
            /** Low */
            readonly low: string | null;
            /** Name */
            readonly name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "bars";
            /** Reference */
            readonly reference: number | null;
            /** Rows */
            readonly rows: string;
            /**
             * Scale
             * @default linear
             * @enum {string}
             */
            readonly scale: "linear" | "ratio";
            /** Title */
            readonly title: string;
            /** Value */
            readonly value: string;
        };
        /**
         * BlobRef
         * @description Bytes kept outside the event that needs them, named by their hash.
         *
         *     On the wire the hash stands under ``$blob``, so that every reference in a log can be found without knowing
         *     the model around it.
         */
        readonly BlobRef: {
            /** $Blob */
            readonly $blob: string;
            /**
             * Media Type
             * @default application/octet-stream
             */
            readonly media_type: string;
            /** Size */
            readonly size: number;
        };
        /**
         * CallLimits
         * @description What one attempt may take. A prompt's tokens are bounded by its bytes: no token is shorter than one.
         */
        readonly CallLimits: {
            /**
             * Answer Bytes
             * @default 1048576
             */
            readonly answer_bytes: number;
            /**
             * Prompt Bytes
             * @default 60000
             */
            readonly prompt_bytes: number;
            /**
             * Timeout Ms
             * @default 60000
             */
            readonly timeout_ms: number;
            /**
             * Tokens Out
             * @default 4096
             */
            readonly tokens_out: number;
        };
        /**
         * Candidate
         * @description What a genome expresses, and what is examined, scored and judged.
         *
         *     ``looks`` is the vector of its content, where its expression had it embedded.
         */
        readonly Candidate: {
            /** Birth */
            readonly birth: number;
            readonly content: components["schemas"]["DomainPayload"];
            /** Genome Id */
            readonly genome_id: string;
            /** Id */
            readonly id: string;
            readonly looks?: components["schemas"]["EmbeddingRecord"] | null;
            /**
             * Refs
             * @default []
             */
            readonly refs: readonly components["schemas"]["EvidenceRef"][];
            /**
             * Summary
             * @default
             */
            readonly summary: string;
        };
        /**
         * CandidateDetail
         * @description Everything that the log says of one candidate.
         */
        readonly CandidateDetail: {
            /** Birth */
            readonly birth: number;
            /** Candidate Id */
            readonly candidate_id: string;
            /** @description As it was recorded. */
            readonly content: components["schemas"]["DomainPayload"];
            /**
             * Energy
             * @description What was charged for everything about it.
             */
            readonly energy: number;
            /** Evidence */
            readonly evidence: readonly components["schemas"]["EvidenceItem"][];
            readonly explanation: components["schemas"]["Explanation"];
            readonly fitness: components["schemas"]["FitnessScore"] | null;
            /** Generation Id */
            readonly generation_id: string | null;
            /** Genome Id */
            readonly genome_id: string;
            /** Model Calls */
            readonly model_calls: readonly components["schemas"]["ModelCall"][];
            /** Parents */
            readonly parents: readonly components["schemas"]["ParentDetail"][];
            /** Reason */
            readonly reason: string | null;
            /** Run Id */
            readonly run_id: string;
            /**
             * Sequence
             * @description The last event that this is made of.
             */
            readonly sequence: number;
            readonly status: components["schemas"]["CandidateStatus"];
            /** Summary */
            readonly summary: string;
            readonly text: components["schemas"]["SourceText"] | null;
            /** Verdicts */
            readonly verdicts: readonly components["schemas"]["VerdictItem"][];
        };
        /**
         * CandidatePage
         * @description Some of the candidates; ``next`` asks for those after them.
         */
        readonly CandidatePage: {
            /** Candidates */
            readonly candidates: readonly components["schemas"]["CandidateRow"][];
            /** Next */
            readonly next: string | null;
            /**
             * Total
             * @description How many there are.
             */
            readonly total: number;
        };
        /**
         * CandidateRow
         * @description A candidate in a list.
         */
        readonly CandidateRow: {
            /** Birth */
            readonly birth: number;
            /** Candidate Id */
            readonly candidate_id: string;
            /** Event Id */
            readonly event_id: string;
            /** Fitness */
            readonly fitness: number | null;
            /** Generation Id */
            readonly generation_id: string | null;
            /** Genome Id */
            readonly genome_id: string;
            /**
             * Reason
             * @description Why it is out, where it is.
             */
            readonly reason: string | null;
            /**
             * Sequence
             * @description The event with which it was created.
             */
            readonly sequence: number;
            readonly status: components["schemas"]["CandidateStatus"];
            /**
             * Summary
             * @default
             */
            readonly summary: string;
        };
        /**
         * CandidateStatus
         * @description From created to selected, or to one of four ways of dropping out.
         * @enum {string}
         */
        readonly CandidateStatus: "created" | "repairing" | "under_review" | "checked" | "scored" | "selected" | "rejected" | "culled" | "invalid";
        /**
         * Capabilities
         * @description What a model can do.
         */
        readonly Capabilities: {
            /**
             * Embeddings
             * @default false
             */
            readonly embeddings: boolean;
            /**
             * Streaming
             * @default false
             */
            readonly streaming: boolean;
            /**
             * Structured
             * @default json_schema
             * @enum {string}
             */
            readonly structured: "json_schema" | "json_object" | "prompt";
            /**
             * Tools
             * @default false
             */
            readonly tools: boolean;
        };
        /**
         * CapEnd
         * @description A cap that the run reached.
         */
        readonly CapEnd: {
            /**
             * Cap
             * @enum {string}
             */
            readonly cap: "max_population" | "max_generations" | "max_candidates" | "energy_budget" | "max_spawn_depth" | "max_tool_calls" | "max_tokens" | "max_cost_microusd" | "wall_clock_ms" | "max_evaluations";
            /** Limit */
            readonly limit: number;
            /** Used */
            readonly used: number;
        };
        /**
         * CapsAsked
         * @description Limits of a run; what is left open has its default, or the ceiling where that is lower.
         */
        readonly CapsAsked: {
            /** Energy Budget */
            readonly energy_budget?: number | null;
            /** Max Candidates */
            readonly max_candidates?: number | null;
            /** Max Cost Microusd */
            readonly max_cost_microusd?: number | null;
            /** Max Evaluations */
            readonly max_evaluations?: number | null;
            /** Max Generations */
            readonly max_generations?: number | null;
            /** Max Population */
            readonly max_population?: number | null;
            /** Max Spawn Depth */
            readonly max_spawn_depth?: number | null;
            /** Max Tokens */
            readonly max_tokens?: number | null;
            /** Max Tool Calls */
            readonly max_tool_calls?: number | null;
            /** Wall Clock Ms */
            readonly wall_clock_ms?: number | null;
        };
        /**
         * CapsView
         * @description The caps that a run has if it asks for none, and the most that it may ask for.
         */
        readonly CapsView: {
            readonly ceilings: components["schemas"]["RunCaps"];
            readonly defaults: components["schemas"]["RunCaps"];
        };
        /**
         * CapUse
         * @description How much of a cap is gone. Before the run is configured there is no limit to name.
         */
        readonly CapUse: {
            /** Limit */
            readonly limit: number | null;
            /** Used */
            readonly used: number;
        };
        /**
         * Challenge
         * @description Which challenge of its niche this was, and what it may spend of the error budget (rule 10).
         */
        readonly Challenge: {
            /** Alpha */
            readonly alpha: number;
            /** K */
            readonly k: number;
            /** Niche */
            readonly niche: string;
        };
        /**
         * Columns
         * @description The rows of a table, column by column; a value that a row does not have is null.
         */
        readonly Columns: {
            /**
             * First
             * @description The event that each row began with.
             */
            readonly first: readonly number[];
            /** Key */
            readonly key: readonly string[];
            /**
             * Last
             * @description The event that changed it last.
             */
            readonly last: readonly number[];
            /** Values */
            readonly values: {
                readonly [key: string]: readonly components["schemas"]["JsonValue"][];
            };
        };
        /**
         * CommandBody
         * @description Why; it stands in the log.
         * @example {
         *       "reason": "it has found enough"
         *     }
         */
        readonly CommandBody: {
            /** Reason */
            readonly reason?: string | null;
        };
        /**
         * Commanded
         * @description A command that was left for the run; ``already`` says that it had been, with this key.
         */
        readonly Commanded: {
            /** Already */
            readonly already: boolean;
            /** Command Id */
            readonly command_id: string;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "stop" | "kill" | "cancel";
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * CommandKind
         * @description What may be asked of a run.
         * @enum {string}
         */
        readonly CommandKind: "stop" | "kill" | "cancel" | "set_parameters" | "propose";
        /**
         * CommandRow
         * @description What became of a command; only a refusal has a reason.
         */
        readonly CommandRow: {
            readonly kind: components["schemas"]["CommandKind"];
            /**
             * Outcome
             * @enum {string}
             */
            readonly outcome: "accepted" | "refused";
            /** Position */
            readonly position: number;
            /** Reason */
            readonly reason: string | null;
        };
        /**
         * Decision
         * @description Undecided is an answer of its own: more data could tell.
         * @enum {string}
         */
        readonly Decision: "adopt" | "reject" | "undecided";
        /**
         * Descent
         * @description How one genome came about. ``distance`` is 0 for the candidate's own, 1 for that one's parents.
         */
        readonly Descent: {
            /** Birth */
            readonly birth: number;
            /** Choices */
            readonly choices: {
                readonly [key: string]: Json;
            };
            /** Distance */
            readonly distance: number;
            /** Generation Id */
            readonly generation_id: string | null;
            /** Genome Id */
            readonly genome_id: string;
            /** Operator */
            readonly operator: string | null;
            /** Parents */
            readonly parents: readonly string[];
            /** Why */
            readonly why: string;
        };
        /**
         * Descriptor
         * @description One axis of behaviour: what a score's descriptor or its components call ``name``, from ``low`` to ``high``.
         *
         *     ``age`` is the depth of a lineage where no score says otherwise. ``bins`` divide the axis of a grid.
         */
        readonly Descriptor: {
            /**
             * Bins
             * @default 10
             */
            readonly bins: number;
            /** High */
            readonly high: number;
            /** Low */
            readonly low: number;
            /** Name */
            readonly name: string;
        };
        /**
         * Doctor
         * @description What of this machine can be used; ``at`` is null where nobody has looked yet.
         */
        readonly Doctor: {
            /** At */
            readonly at: string | null;
            /** Limited */
            readonly limited: number;
            /** Missing */
            readonly missing: number;
            /** Ok */
            readonly ok: number;
            /** Probes */
            readonly probes: readonly components["schemas"]["Probe"][];
        };
        /**
         * DomainPayload
         * @description One piece of a domain's data with the name of the model that it fits.
         */
        readonly DomainPayload: {
            /** Data */
            readonly data: {
                readonly [key: string]: Json;
            };
            /** Domain */
            readonly domain: string;
            /** Kind */
            readonly kind: string;
            /**
             * Version
             * @default 1
             */
            readonly version: number;
        };
        /**
         * DomainView
         * @description A domain, and how a run of it is begun from here.
         */
        readonly DomainView: {
            readonly form: components["schemas"]["FormView"] | null;
            /** Launchable */
            readonly launchable: boolean;
            /** Name */
            readonly name: string;
            /**
             * Panels
             * @description What it adds to the page of a run and of its proof.
             */
            readonly panels: readonly components["schemas"]["Panel"][];
            /**
             * Refusal
             * @description Why it cannot be launched from here, and what to do.
             */
            readonly refusal: string | null;
            /**
             * Steps
             * @description What its steps are called.
             */
            readonly steps: readonly components["schemas"]["StepWords"][];
            /** Title */
            readonly title: string;
            /** What */
            readonly what: string;
        };
        /**
         * EarlierChampion
         * @description The champion of a niche that an earlier run adopted; it stands until a run adopts a better one.
         */
        readonly EarlierChampion: {
            /** Candidate Id */
            readonly candidate_id: string;
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * EmbeddingDegraded
         * @description Why a whole batch was embedded by another one, or by nobody.
         *
         *     ``reason`` is a stable code: a failure's reason, an error's code, ``timeout``, or ``broken`` for what an embedder
         *     never should have raised. No message holds a text or a key.
         */
        readonly EmbeddingDegraded: {
            /** Fallback */
            readonly fallback: string;
            /** Message */
            readonly message: string;
            /** Primary */
            readonly primary: string;
            /** Reason */
            readonly reason: string;
            /**
             * Standing
             * @enum {string}
             */
            readonly standing: "estimated" | "absent";
        };
        /**
         * EmbeddingRecord
         * @description The vector of one text, whole: replay reads it, and recomputes nothing but cosines (rule 7).
         *
         *     ``embedder`` names everything that moved the numbers; vectors of different names are never compared. ``model_id`` is
         *     the model behind it. ``candidate_id`` says whose text it was, where it was somebody's. ``vector`` stays the text
         *     that is recorded: a record is validated far more often than somebody wants its numbers.
         */
        readonly EmbeddingRecord: {
            /** Candidate Id */
            readonly candidate_id: string | null;
            /** Dimension */
            readonly dimension: number;
            /** Embedder */
            readonly embedder: string;
            /** Model Id */
            readonly model_id: string;
            /** Text Digest */
            readonly text_digest: string;
            /** Vector */
            readonly vector: string;
        };
        /**
         * EnergyCosts
         * @description The price list. It is recorded with the run, so that a replay charges what the run charged.
         *
         *     ``cpu_basis`` says what sandboxed computing is charged by: measured milliseconds, or counted opcodes where the
         *     objective is ``opcodes`` (a count repeats exactly, a time does not).
         */
        readonly EnergyCosts: {
            /**
             * Cpu Basis
             * @default cpu_ms
             * @enum {string}
             */
            readonly cpu_basis: "cpu_ms" | "opcodes";
            /**
             * Cpu Ms Per Unit
             * @default 100
             */
            readonly cpu_ms_per_unit: number;
            /**
             * Opcodes Per Unit
             * @default 1000000
             */
            readonly opcodes_per_unit: number;
            /**
             * Per Spawn
             * @default 50
             */
            readonly per_spawn: number;
            /**
             * Per Tool Call
             * @default 5
             */
            readonly per_tool_call: number;
            /**
             * Tokens Per Unit
             * @default 1000
             */
            readonly tokens_per_unit: number;
        };
        /**
         * EnergyUse
         * @description Energy charged, and energy held back for what is in flight.
         */
        readonly EnergyUse: {
            /** Budget */
            readonly budget: number | null;
            /** Reserved */
            readonly reserved: number;
            /** Spent */
            readonly spent: number;
        };
        /**
         * EpochRow
         * @description What one conductor wrote, from its taking over to its last event.
         */
        readonly EpochRow: {
            /** Conductor */
            readonly conductor: string;
            /** From Sequence */
            readonly from_sequence: number;
            /** To Sequence */
            readonly to_sequence: number;
            /** Wall Ms */
            readonly wall_ms: number;
        };
        /**
         * Estimate
         * @description What a run can take at worst: its caps end it there.
         */
        readonly Estimate: {
            /** Cost Microusd */
            readonly cost_microusd: number;
            /** Energy */
            readonly energy: number;
            /** Model Calls */
            readonly model_calls: number;
            /** Notes */
            readonly notes: readonly string[];
            /** Tokens */
            readonly tokens: number;
            /** Wall Clock Ms */
            readonly wall_clock_ms: number;
        };
        /**
         * Event
         * @description What happened, as it stands in the log.
         *
         *     ``sequence`` alone orders a run's events. ``hash`` covers every other field; ``prev_hash`` is the hash of
         *     the event before.
         */
        readonly Event: {
            readonly actor: components["schemas"]["Actor"];
            /** Candidate Id */
            readonly candidate_id: string | null;
            /** Correlation Id */
            readonly correlation_id: string | null;
            /** Generation Id */
            readonly generation_id: string | null;
            /** Genome Id */
            readonly genome_id: string | null;
            /** Hash */
            readonly hash: string;
            /** Id */
            readonly id: string;
            /** Observation Id */
            readonly observation_id: string | null;
            /**
             * Occurred At
             * Format: date-time
             */
            readonly occurred_at: string;
            /** Operation Id */
            readonly operation_id: string | null;
            readonly payload: components["schemas"]["Payload"];
            /** Prev Hash */
            readonly prev_hash: string;
            /** Run Id */
            readonly run_id: string;
            /** Schema Version */
            readonly schema_version: number;
            /** Sequence */
            readonly sequence: number;
            /** Trace Id */
            readonly trace_id: string | null;
            /** Type */
            readonly type: string;
        };
        /**
         * EventPage
         * @description Events in order; ``next`` is the ``since`` that asks for those after them.
         */
        readonly EventPage: {
            /** Events */
            readonly events: readonly {
                /**
                 * Actor
                 * @description The eight roles that may stand on an event. No plug-in adds a ninth.
                 * @enum {string}
                 */
                readonly actor: "operator" | "runtime" | "genome" | "critic" | "check_runner" | "judge" | "selection" | "gate";
                /** Alias */
                readonly alias?: string;
                /** Candidate Id */
                readonly candidate_id: string | null;
                /** Correlation Id */
                readonly correlation_id: string | null;
                /** Generation Id */
                readonly generation_id: string | null;
                /** Genome Id */
                readonly genome_id: string | null;
                /** Hash */
                readonly hash: string;
                /** Id */
                readonly id: string;
                /** Observation Id */
                readonly observation_id: string | null;
                /**
                 * Occurred At
                 * Format: date-time
                 */
                readonly occurred_at: string;
                /** Operation Id */
                readonly operation_id: string | null;
                readonly payload: {
                    readonly [key: string]: Json;
                };
                /** Prev Hash */
                readonly prev_hash: string;
                /** Run Id */
                readonly run_id: string;
                /** Schema Version */
                readonly schema_version: number;
                /** Sequence */
                readonly sequence: number;
                /** Trace Id */
                readonly trace_id: string | null;
                /** Type */
                readonly type: string;
            }[];
            /** Next */
            readonly next: number | null;
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * EvidenceItem
         * @description One operation about the candidate, with its findings as they were recorded.
         */
        readonly EvidenceItem: {
            /** Attempt */
            readonly attempt: number;
            /** Ended */
            readonly ended: number | null;
            /** Ended At */
            readonly ended_at: string | null;
            /** Energy */
            readonly energy: number;
            readonly error: components["schemas"]["Reason"] | null;
            /**
             * Event Id
             * @description The event of its end, or of its start while it goes on.
             */
            readonly event_id: string | null;
            readonly findings: components["schemas"]["DomainPayload"] | null;
            /**
             * Isolation
             * @description The weakest sandbox in which anything of it ran.
             */
            readonly isolation: string | null;
            /** Kind */
            readonly kind: string | null;
            readonly lookups: components["schemas"]["Lookups"] | null;
            /**
             * Name
             * @description What streams call its end; the step's own name where it has no other.
             */
            readonly name: string;
            /** Operation Id */
            readonly operation_id: string;
            /**
             * Outcome
             * @enum {string}
             */
            readonly outcome: "in_flight" | "completed" | "degraded" | "failed";
            /** Started */
            readonly started: number | null;
            /** Started At */
            readonly started_at: string | null;
            /** Step */
            readonly step: string;
            /** Trace Id */
            readonly trace_id: string | null;
            readonly usage: components["schemas"]["Usage"];
            /**
             * Word
             * @description What its domain calls the step; its name where the domain has no word for it.
             */
            readonly word: string;
        };
        /**
         * EvidenceRef
         * @description A pointer to an event of the same log; ``uri`` and ``observation_id`` are labels for people only.
         */
        readonly EvidenceRef: {
            /** Event Id */
            readonly event_id: string | null;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "trace" | "check_output" | "prior_art" | "signal" | "raw_output" | "other";
            /** Label */
            readonly label: string | null;
            /** Observation Id */
            readonly observation_id: string | null;
            /** Uri */
            readonly uri: string | null;
        };
        /**
         * Explanation
         * @description Everything the events through ``sequence_through`` say of one candidate.
         *
         *     ``ancestors`` are in order of distance, each once; those of other runs are only named, as parents. ``weights`` are
         *     those of the run's policy, if it is the one that the score was made under.
         */
        readonly Explanation: {
            /** Adoptions */
            readonly adoptions: readonly components["schemas"]["AdoptionNote"][];
            /** Ancestors */
            readonly ancestors: readonly components["schemas"]["Descent"][];
            readonly candidate: components["schemas"]["Candidate"];
            readonly genome: components["schemas"]["Descent"] | null;
            /** Invalidated */
            readonly invalidated: string | null;
            /** Rejected */
            readonly rejected: readonly components["schemas"]["Reason"][];
            /** Repairs */
            readonly repairs: readonly components["schemas"]["Repair"][];
            /** Run Id */
            readonly run_id: string;
            readonly score: components["schemas"]["FitnessScore"] | null;
            /** Selection */
            readonly selection: readonly components["schemas"]["SelectionNote"][];
            /** Sequence Through */
            readonly sequence_through: number;
            readonly status: components["schemas"]["CandidateStatus"];
            /** Steps */
            readonly steps: readonly components["schemas"]["Step"][];
            /** Verdicts */
            readonly verdicts: readonly components["schemas"]["GateNote"][];
            /** Weights */
            readonly weights: {
                readonly [key: string]: number;
            };
        };
        /**
         * Field422
         * @description One thing that is wrong in a request.
         */
        readonly Field422: {
            /** Message */
            readonly message: string;
            /** Where */
            readonly where: string;
        };
        /**
         * FiguresPart
         * @description Figures in a row.
         */
        readonly FiguresPart: {
            /** Figures */
            readonly figures: readonly components["schemas"]["ShownFigure"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "figures";
        };
        /**
         * FileOpened
         * @description A run that was opened from a file; its routes are under ``/api/files/{file_id}/runs/{run_id}``.
         * @example {
         *       "blobs": 0,
         *       "events": 1204,
         *       "file_id": "9f2c51d07ab3e648",
         *       "opened_at": "2026-01-01T12:00:00Z",
         *       "run_id": "01980000-0000-7000-8000-000000000000",
         *       "warnings": []
         *     }
         */
        readonly FileOpened: {
            /** Blobs */
            readonly blobs: number;
            /** Events */
            readonly events: number;
            /** File Id */
            readonly file_id: string;
            /**
             * Opened At
             * Format: date-time
             */
            readonly opened_at: string;
            /** Run Id */
            readonly run_id: string;
            /**
             * Warnings
             * @description What is to be known about it, in words.
             */
            readonly warnings: readonly string[];
        };
        /**
         * FilePage
         * @description The files that are open, the one looked at last first.
         */
        readonly FilePage: {
            /** Files */
            readonly files: readonly components["schemas"]["FileOpened"][];
            /**
             * Most
             * @description How many bytes a file may have.
             */
            readonly most: number;
        };
        /**
         * FinalProof
         * @description How a run ended, and what proves its winner; one that has none says so.
         */
        readonly FinalProof: {
            /** @description An audit that took no part in selection. */
            readonly audit: components["schemas"]["EvidenceItem"] | null;
            /** @description Where nobody was adopted: the best that was scored. Nothing proves it. */
            readonly best: components["schemas"]["CandidateDetail"] | null;
            /** Caps */
            readonly caps: readonly components["schemas"]["CapEnd"][];
            /**
             * Digest
             * @description The outcome digest, as recorded.
             */
            readonly digest: string | null;
            /**
             * Figures
             * @description Best fitness, cost, tokens and the like.
             */
            readonly figures: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            /** @description What it is compared with: the first founder that no earlier run left. */
            readonly founder: components["schemas"]["CandidateDetail"] | null;
            /**
             * Niches
             * @description Those of the run, its first one first; each has its error budget.
             */
            readonly niches: readonly components["schemas"]["NicheProof"][];
            /** Over */
            readonly over: boolean;
            /**
             * Patch
             * @description What turns the founder into the winner, as a unified diff.
             */
            readonly patch: string | null;
            /** Reason */
            readonly reason: string | null;
            readonly replay: components["schemas"]["ReplayProof"];
            /** Revoked */
            readonly revoked: readonly components["schemas"]["VerdictItem"][];
            /** Run Id */
            readonly run_id: string;
            /**
             * Said
             * @description No more than the log proves: one sentence, and of several niches one for each winner.
             */
            readonly said: string;
            /** Sequence */
            readonly sequence: number;
            /**
             * State
             * @enum {string}
             */
            readonly state: "confirmed" | "adopted" | "nothing" | "open";
            readonly status: components["schemas"]["RunStatus"] | null;
            readonly verdict: components["schemas"]["VerdictItem"] | null;
            /** @description The champion of the first niche that has one; adopted through the gate. */
            readonly winner: components["schemas"]["CandidateDetail"] | null;
        };
        /**
         * FitnessScore
         * @description A candidate's fitness with every component it was made of.
         *
         *     A component that could not be had is named in ``absent``, one that was estimated in ``estimated``; neither is
         *     ever silently zero. ``descriptor`` says where the candidate stands among behaviours; it is not part of the total.
         */
        readonly FitnessScore: {
            /**
             * Absent
             * @default []
             */
            readonly absent: readonly string[];
            /** Candidate Id */
            readonly candidate_id: string;
            /** Components */
            readonly components: {
                readonly [key: string]: number;
            };
            /** Descriptor */
            readonly descriptor: {
                readonly [key: string]: number;
            };
            /**
             * Estimated
             * @default []
             */
            readonly estimated: readonly string[];
            /** Explanation */
            readonly explanation: string;
            /** Policy Version */
            readonly policy_version: string;
            /** Total */
            readonly total: number;
        };
        /**
         * FormExample
         * @description Inputs that work.
         */
        readonly FormExample: {
            /** Inputs */
            readonly inputs: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            /** Title */
            readonly title: string;
        };
        /**
         * FormView
         * @description What a launch form asks for: a JSON schema, and examples that fit it.
         */
        readonly FormView: {
            /** Examples */
            readonly examples: readonly components["schemas"]["FormExample"][];
            /**
             * Part
             * @description Which part of a RunRequest it describes.
             * @enum {string}
             */
            readonly part: "inputs" | "config";
            /**
             * Schema
             * @description JSON schema of `inputs`, or of `config`.
             */
            readonly schema: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * GateInterval
         * @description An interval of a verdict, and where the policy wants it to lie; null where it asks nothing of that side.
         */
        readonly GateInterval: {
            /** Alpha */
            readonly alpha: number;
            /** Estimate */
            readonly estimate: number;
            /** Lower */
            readonly lower: number | null;
            /** Method */
            readonly method: string;
            /** Must Exceed */
            readonly must_exceed: number | null;
            /** Must Stay Below */
            readonly must_stay_below: number | null;
            /** Name */
            readonly name: string;
            /** Upper */
            readonly upper: number | null;
        };
        /**
         * GateNote
         * @description A verdict of the gate; ``verdict.challenge`` says which challenge it was and what it spent.
         */
        readonly GateNote: {
            /** Event Id */
            readonly event_id: string;
            /** Sequence */
            readonly sequence: number;
            readonly verdict: components["schemas"]["Verdict"];
        };
        /**
         * GuardPage
         * @description Decisions of the gate, reports first, each newest first.
         */
        readonly GuardPage: {
            /**
             * Decisions
             * @description How many were decided which way, over all that fit the filter.
             */
            readonly decisions: {
                readonly [key: string]: number;
            };
            /** Next */
            readonly next: string | null;
            /** Reports */
            readonly reports: readonly components["schemas"]["GuardRow"][];
            /** Total */
            readonly total: number;
        };
        /**
         * GuardReport
         * @description A decision of the gate, whole.
         */
        readonly GuardReport: {
            /** Alpha */
            readonly alpha: number;
            /** At */
            readonly at: string | null;
            readonly baseline: components["schemas"]["Side"] | null;
            readonly candidate: components["schemas"]["Side"] | null;
            /** Candidate Id */
            readonly candidate_id: string | null;
            /** Config */
            readonly config: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            readonly decision: components["schemas"]["Decision"];
            /**
             * Demands
             * @description The policy in words.
             */
            readonly demands: readonly string[];
            /** Id */
            readonly id: string;
            /** Intervals */
            readonly intervals: readonly components["schemas"]["GateInterval"][];
            /** K */
            readonly k: number;
            /** Mode */
            readonly mode: string;
            /** N */
            readonly n: number;
            /** Policy */
            readonly policy: string;
            /** Reason */
            readonly reason: string | null;
            /** Run Id */
            readonly run_id: string | null;
            /** Sequence */
            readonly sequence: number | null;
            /**
             * Source
             * @enum {string}
             */
            readonly source: "report" | "run";
            readonly verdict: components["schemas"]["Verdict"];
            /**
             * What
             * @description The task of a report; the problem of a run.
             */
            readonly what: string;
        };
        /**
         * GuardRow
         * @description A decision of the gate in a list: asked by hand (``report``), or by a run (``run``).
         */
        readonly GuardRow: {
            /** At */
            readonly at: string | null;
            /** Candidate Id */
            readonly candidate_id: string | null;
            readonly decision: components["schemas"]["Decision"];
            /** Id */
            readonly id: string;
            /** Intervals */
            readonly intervals: readonly components["schemas"]["GateInterval"][];
            /** Mode */
            readonly mode: string;
            /** N */
            readonly n: number;
            /** Reason */
            readonly reason: string | null;
            /** Run Id */
            readonly run_id: string | null;
            /** Sequence */
            readonly sequence: number | null;
            /**
             * Source
             * @enum {string}
             */
            readonly source: "report" | "run";
            /**
             * What
             * @description The task of a report; the problem of a run.
             */
            readonly what: string;
        };
        /**
         * HeadlinePart
         * @description One figure, large, with its label behind it.
         */
        readonly HeadlinePart: {
            readonly figure: components["schemas"]["ShownFigure"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "headline";
        };
        /**
         * Health
         * @description How a run is doing right now, and who brings it forward.
         */
        readonly Health: {
            /** Caps */
            readonly caps: {
                readonly [key: string]: components["schemas"]["CapUse"];
            };
            /**
             * Conducted
             * @enum {string}
             */
            readonly conducted: "here" | "elsewhere" | "nobody";
            /** Conductor */
            readonly conductor: string | null;
            readonly energy: components["schemas"]["EnergyUse"];
            /** Epoch */
            readonly epoch: number | null;
            /** Epochs */
            readonly epochs: number;
            /** Generation */
            readonly generation: number | null;
            /** In Flight */
            readonly in_flight: readonly components["schemas"]["OperationInFlight"][];
            readonly last_event: components["schemas"]["LastEvent"];
            /**
             * Last Event At
             * Format: date-time
             */
            readonly last_event_at: string;
            /** Run Id */
            readonly run_id: string;
            /** Sequence Through */
            readonly sequence_through: number;
            /**
             * Stalled
             * @description It should be conducted, and has not been heard of for three heartbeats.
             */
            readonly stalled: boolean;
            readonly status: components["schemas"]["RunStatus"] | null;
        };
        /**
         * History
         * @description All rows of a run: enough to show it as it was after any of its events.
         */
        readonly History: {
            /** Run Id */
            readonly run_id: string;
            /** Sequence */
            readonly sequence: number;
            /** Tables */
            readonly tables: {
                readonly [key: string]: components["schemas"]["Columns"];
            };
        };
        /**
         * Interval
         * @description An estimate with its one-sided or two-sided bounds and the method that drew them.
         */
        readonly Interval: {
            /** Alpha */
            readonly alpha: number;
            /** Estimate */
            readonly estimate: number;
            /** Lower */
            readonly lower: number | null;
            /** Method */
            readonly method: string;
            /** Name */
            readonly name: string;
            /** Upper */
            readonly upper: number | null;
        };
        /**
         * IslandsConfig
         * @description Populations that breed apart; every ``interval`` births the best ``migrants`` of each join its neighbour.
         */
        readonly IslandsConfig: {
            /**
             * Count
             * @default 4
             */
            readonly count: number;
            /**
             * Interval
             * @default 50
             */
            readonly interval: number;
            /**
             * Migrants
             * @default 1
             */
            readonly migrants: number;
        };
        readonly JsonValue: Json;
        /**
         * LastEvent
         * @description The event that the view was built through.
         */
        readonly LastEvent: {
            /**
             * Occurred At
             * Format: date-time
             */
            readonly occurred_at: string;
            /** Sequence */
            readonly sequence: number;
            /** Type */
            readonly type: string;
        };
        /**
         * Launched
         * @description The run that was begun, now or when it was first asked for with this key.
         */
        readonly Launched: {
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * LineageEdge
         * @description How ``source`` and ``target`` belong together; the label of a ``parent_of`` is the operator.
         */
        readonly LineageEdge: {
            /** Id */
            readonly id: string;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "member_of" | "parent_of" | "expressed" | "reviewed" | "checked" | "scored";
            /** Label */
            readonly label: string | null;
            /** Source */
            readonly source: string;
            /** Target */
            readonly target: string;
        };
        /**
         * LineageNode
         * @description One thing of the run; ``data_ref`` is the id of the event that introduced it.
         */
        readonly LineageNode: {
            /** Data Ref */
            readonly data_ref: string;
            /** Id */
            readonly id: string;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "generation" | "genome" | "candidate" | "review" | "check" | "score";
            /** Label */
            readonly label: string;
            /** Metrics */
            readonly metrics: {
                readonly [key: string]: number;
            };
            /** Status */
            readonly status: string | null;
        };
        /**
         * LineageView
         * @description The lineage of a run after the event ``sequence_through``; both ends of every edge are among the nodes.
         */
        readonly LineageView: {
            /** Edges */
            readonly edges: readonly components["schemas"]["LineageEdge"][];
            /** Nodes */
            readonly nodes: readonly components["schemas"]["LineageNode"][];
            /** Run Id */
            readonly run_id: string;
            /** Sequence Through */
            readonly sequence_through: number;
        };
        /**
         * Look
         * @description What a sequential test saw at one of its looks.
         */
        readonly Look: {
            readonly decision: components["schemas"]["Decision"];
            readonly interval: components["schemas"]["Interval"];
            /** N */
            readonly n: number;
        };
        /**
         * Lookups
         * @description Passages that were retrieved, calls of research tools, and why embeddings were not the ones that were meant.
         *
         *     A replay reads these and asks nobody (rule 7). Where they are too large for an event they stand, as the same JSON,
         *     in ``blob``. Vectors are not here: they belong to what was embedded, and stand in its own record.
         */
        readonly Lookups: {
            readonly blob: components["schemas"]["BlobRef"] | null;
            /**
             * Degraded
             * @default []
             */
            readonly degraded: readonly components["schemas"]["EmbeddingDegraded"][];
            /**
             * Retrievals
             * @default []
             */
            readonly retrievals: readonly components["schemas"]["Retrieval"][];
            /**
             * Tools
             * @default []
             */
            readonly tools: readonly components["schemas"]["ToolRecord"][];
        };
        /**
         * MetricComparison
         * @description One metric on both sides, over the same cases.
         *
         *     The delta is candidate less baseline, in the metric's own unit; of a timing it is the ratio.
         */
        readonly MetricComparison: {
            readonly baseline: components["schemas"]["MetricSummary"];
            readonly candidate: components["schemas"]["MetricSummary"];
            readonly delta: components["schemas"]["Interval"];
            /** Effect Size */
            readonly effect_size: number | null;
            /** Higher Is Better */
            readonly higher_is_better: boolean;
            /** Kind */
            readonly kind: string;
            /** N */
            readonly n: number;
            /** P Better */
            readonly p_better: number | null;
            /** P Worse */
            readonly p_worse: number | null;
        };
        /**
         * MetricSummary
         * @description A metric's values on one side.
         */
        readonly MetricSummary: {
            /** Max */
            readonly max: number;
            /** Mean */
            readonly mean: number;
            /** Median */
            readonly median: number;
            /** Min */
            readonly min: number;
            /** N */
            readonly n: number;
            /** Stdev */
            readonly stdev: number;
            /** Sum */
            readonly sum: number;
        };
        /**
         * ModelCall
         * @description One call to a model for the candidate, or for the genome it expresses.
         */
        readonly ModelCall: {
            /** Cost Microusd */
            readonly cost_microusd: number | null;
            /** Event Id */
            readonly event_id: string;
            /** Latency Ms */
            readonly latency_ms: number | null;
            /** Model Id */
            readonly model_id: string | null;
            /** Observation Id */
            readonly observation_id: string | null;
            /** Operation Id */
            readonly operation_id: string | null;
            /** Outcome */
            readonly outcome: string;
            /** Provider */
            readonly provider: string | null;
            /** Role */
            readonly role: string;
            /** Sequence */
            readonly sequence: number;
            /**
             * Tokens In
             * @default 0
             */
            readonly tokens_in: number;
            /**
             * Tokens Out
             * @default 0
             */
            readonly tokens_out: number;
            /** Trace Id */
            readonly trace_id: string | null;
        };
        /**
         * ModelPlan
         * @description Every role that a run may ask, and who plays it. ``overridable`` are the sources that a run may choose.
         */
        readonly ModelPlan: {
            /** Overridable */
            readonly overridable: {
                readonly [key: string]: readonly components["schemas"]["Source"][];
            };
            /** Roles */
            readonly roles: {
                readonly [key: string]: components["schemas"]["RolePlan"];
            };
        };
        /**
         * ModelRoute
         * @description Which model serves a role.
         */
        readonly ModelRoute: {
            /** Model Id */
            readonly model_id: string;
            /** Provider */
            readonly provider: string;
        };
        /**
         * ModelRoutes
         * @description Who answers which role; what `mendel models list` shows.
         */
        readonly ModelRoutes: {
            /** Fan Out */
            readonly fan_out: number | null;
            /** Lacking */
            readonly lacking: readonly string[];
            /** Offline */
            readonly offline: {
                readonly [key: string]: readonly string[];
            };
            /** Profile */
            readonly profile: string | null;
            /** Providers */
            readonly providers: readonly components["schemas"]["ProviderItem"][];
            /** Remarks */
            readonly remarks: readonly string[];
            /** Roles */
            readonly roles: readonly components["schemas"]["RoleRoutes"][];
            /** Unused Prices */
            readonly unused_prices: readonly string[];
            /** Without Price */
            readonly without_price: readonly string[];
        } & {
            readonly [key: string]: Json;
        };
        /**
         * NicheProof
         * @description What came of one niche of a run, and its error budget: what all challenges there together may spend (rule 10).
         *
         *     ``before`` were made there by earlier runs, ``challenges`` by this one, which took ``spent`` of ``alpha``.
         */
        readonly NicheProof: {
            /** Alpha */
            readonly alpha: number | null;
            /**
             * Before
             * @default 0
             */
            readonly before: number;
            /**
             * Challenges
             * @default 0
             */
            readonly challenges: number;
            /** @description The champion that the run found there; where it adopted nobody it stands. */
            readonly champion_before: components["schemas"]["EarlierChampion"] | null;
            /**
             * Champion Id
             * @description Whom this run adopted there and did not throw out.
             */
            readonly champion_id: string | null;
            /** Niche */
            readonly niche: string;
            /**
             * Said
             * @description What came of the niche, in one sentence.
             * @default
             */
            readonly said: string;
            /**
             * Spent
             * @default 0
             */
            readonly spent: number;
            /**
             * State
             * @default open
             * @enum {string}
             */
            readonly state: "confirmed" | "adopted" | "nothing" | "open";
            /** @description The champion, readable. */
            readonly text: components["schemas"]["SourceText"] | null;
        };
        /**
         * NicheStart
         * @description A further niche of a run, and how many challenges were made in it before the run began.
         */
        readonly NicheStart: {
            /**
             * Challenges
             * @default 0
             */
            readonly challenges: number;
            /** Niche */
            readonly niche: string;
        };
        /**
         * OperationInFlight
         * @description An operation whose latest marker has no completion yet.
         *
         *     ``word`` is what its domain calls the step; ``role`` tells judging from checking.
         */
        readonly OperationInFlight: {
            /** Attempt */
            readonly attempt: number;
            /** Id */
            readonly id: string;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "vary" | "express" | "repair" | "examine" | "challenge" | "adopt" | "revoke" | "wait" | "child";
            /** Role */
            readonly role: ("check" | "review" | "novelty" | "audit") | null;
            /**
             * Started At
             * Format: date-time
             */
            readonly started_at: string;
            /** Step */
            readonly step: string;
            /** Subject Ids */
            readonly subject_ids: readonly string[];
            /** Word */
            readonly word: string;
        };
        /**
         * Pace
         * @description When the next candidate is bred.
         *
         *     ``generational`` waits for a whole generation; ``steady`` breeds as soon as a slot frees, from whatever has
         *     arrived (``arrival``, fastest) or from exactly the results up to k-W (``birth``, independent of timing).
         */
        readonly "Pace-Input": {
            /**
             * Kind
             * @default generational
             * @enum {string}
             */
            readonly kind?: "generational" | "steady";
            /**
             * Order
             * @default birth
             * @enum {string}
             */
            readonly order?: "arrival" | "birth";
            /**
             * Window
             * @default 8
             */
            readonly window?: number;
        };
        /**
         * Pace
         * @description When the next candidate is bred.
         *
         *     ``generational`` waits for a whole generation; ``steady`` breeds as soon as a slot frees, from whatever has
         *     arrived (``arrival``, fastest) or from exactly the results up to k-W (``birth``, independent of timing).
         */
        readonly "Pace-Output": {
            /**
             * Kind
             * @default generational
             * @enum {string}
             */
            readonly kind: "generational" | "steady";
            /**
             * Order
             * @default birth
             * @enum {string}
             */
            readonly order: "arrival" | "birth";
            /**
             * Window
             * @default 8
             */
            readonly window: number;
        };
        /**
         * Panel
         * @description A titled section of a page, made of parts.
         */
        readonly Panel: {
            /** Name */
            readonly name: string;
            /** Note */
            readonly note: string | null;
            /** Parts */
            readonly parts: readonly (components["schemas"]["FiguresPart"] | components["schemas"]["HeadlinePart"] | components["schemas"]["TablePart"] | components["schemas"]["BarsPart"] | components["schemas"]["TextPart"] | components["schemas"]["StatusPart"])[];
            /**
             * Place
             * @enum {string}
             */
            readonly place: "run" | "proof";
            /** Source */
            readonly source: string | null;
            /** Title */
            readonly title: string;
            /** When */
            readonly when: string | null;
        };
        /**
         * Parameters
         * @description What was set of a run, as it holds now; of a run that is over, as it held at its end.
         *
         *     Slots and caps are null where the log does not begin with a configuration.
         */
        readonly Parameters: {
            /** @description As they are in force: those that a command lowered are lower. */
            readonly caps: components["schemas"]["RunCaps"] | null;
            /** @description Those of the domain; null where none were ever set. */
            readonly parameters: components["schemas"]["DomainPayload"] | null;
            /** Run Id */
            readonly run_id: string;
            /**
             * Since
             * @description The event from which on the domain's parameters hold.
             */
            readonly since: number | null;
            /** Slots */
            readonly slots: number | null;
        };
        /**
         * ParametersBody
         * @description What is to hold from now on in a run that is not over; what is left out stays as it is.
         * @example {
         *       "domain": {
         *         "length": 0.1
         *       },
         *       "slots": 2
         *     }
         */
        readonly ParametersBody: {
            /** @description Lower ones; no request raises a cap. */
            readonly caps?: components["schemas"]["CapsAsked"] | null;
            /**
             * Domain
             * @description In the form that the domain takes.
             */
            readonly domain?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Slots */
            readonly slots?: number | null;
        };
        /**
         * ParametersSent
         * @description Parameters that were left for the run; ``already`` says that they had been, with this key.
         */
        readonly ParametersSent: {
            /** Already */
            readonly already: boolean;
            /** Command Id */
            readonly command_id: string;
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * ParentDetail
         * @description Whom a candidate comes from. ``diff`` turns the parent's text into the candidate's.
         */
        readonly ParentDetail: {
            /** Birth */
            readonly birth: number | null;
            /**
             * Candidate Id
             * @description None where the parent expressed none in this run.
             */
            readonly candidate_id: string | null;
            /**
             * Diff
             * @description A unified diff; null where one of the texts is not here.
             */
            readonly diff: string | null;
            /** Genome Id */
            readonly genome_id: string;
            /** Operator */
            readonly operator: string | null;
            readonly text: components["schemas"]["SourceText"] | null;
        };
        /**
         * Part
         * @description Something that the server needs.
         */
        readonly Part: {
            /**
             * Detail
             * @description What was found; never an address.
             */
            readonly detail: string;
            /**
             * Name
             * @description `log`, `projections`, `disk`, or the service of a domain as `DOMAIN.SERVICE`.
             */
            readonly name: string;
            /** Ready */
            readonly ready: boolean;
        };
        /**
         * Passage
         * @description A piece of text that somebody else wrote, and where it stands; ``uri`` is empty where it has no address.
         */
        readonly Passage: {
            /** Source */
            readonly source: string;
            /** Text */
            readonly text: string;
            /** Title */
            readonly title: string;
            /**
             * Uri
             * @default
             */
            readonly uri: string;
        };
        /**
         * Payload
         * @description What one type of event carries. Subclasses name their ``type`` and stand in the closed registry.
         */
        readonly Payload: Record<string, never>;
        /**
         * PluginGroup
         * @description A place that plug-ins can fill.
         */
        readonly PluginGroup: {
            /** Means */
            readonly means: string;
            /** Name */
            readonly name: string;
            /** Plugins */
            readonly plugins: readonly components["schemas"]["PluginItem"][];
        };
        /**
         * PluginItem
         * @description A plug-in that is installed; none is loaded to list it.
         */
        readonly PluginItem: {
            /** Distribution */
            readonly distribution: string;
            /** Group */
            readonly group: string;
            /** Name */
            readonly name: string;
            /** Summary */
            readonly summary: string;
            /**
             * Value
             * @description The object that it is, as a dotted reference.
             */
            readonly value: string;
            /** Version */
            readonly version: string;
        };
        /**
         * Plugins
         * @description All plug-ins, by the place that they fill; every place is there, the empty ones too.
         */
        readonly Plugins: {
            /** Groups */
            readonly groups: readonly components["schemas"]["PluginGroup"][];
            /** Total */
            readonly total: number;
        };
        /**
         * Price
         * @description What a million tokens cost, in millionths of a US dollar.
         */
        readonly Price: {
            /** Input Microusd */
            readonly input_microusd: number;
            /** Output Microusd */
            readonly output_microusd: number;
        };
        /**
         * Probe
         * @description One thing of this machine: whether it can be used, and what to do if not.
         *
         *     ``limited`` can be used, but not for all it is there for. No field ever holds a secret.
         */
        readonly Probe: {
            /**
             * Detail
             * @description What was found.
             */
            readonly detail: string;
            /**
             * Name
             * @description What was looked at; unique within one report.
             */
            readonly name: string;
            /**
             * Needed For
             * @description The capability that suffers without it.
             */
            readonly needed_for: string;
            /**
             * Remedy
             * @description What to do about it; always there unless ok.
             */
            readonly remedy: string | null;
            /**
             * Status
             * @description Whether it can be used.
             * @enum {string}
             */
            readonly status: "ok" | "limited" | "missing";
        };
        /**
         * Problem
         * @description Why a request was not done.
         */
        readonly Problem: {
            /**
             * Code
             * @description Stable: what a program should look at.
             */
            readonly code: string;
            /** Detail */
            readonly detail: string;
            /**
             * Fields
             * @default []
             */
            readonly fields?: readonly components["schemas"]["Field422"][];
            /** Instance */
            readonly instance: string;
            /**
             * Request Id
             * @description As in `X-Request-ID`, and in the server's log.
             * @default null
             */
            readonly request_id?: string | null;
            /** Status */
            readonly status: number;
            /** Title */
            readonly title: string;
            /**
             * Type
             * @default about:blank
             */
            readonly type?: string;
        };
        /**
         * Proposal
         * @description A proposal and what became of it: ``waiting`` until the conductor has answered.
         *
         *     ``reason`` says why it was refused; ``genome_id`` is the genome that was made of one that was accepted.
         */
        readonly Proposal: {
            /** Content */
            readonly content: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            /** Genome Id */
            readonly genome_id: string | null;
            /**
             * Issued At
             * Format: date-time
             */
            readonly issued_at: string;
            /** Proposal Id */
            readonly proposal_id: string;
            /** Reason */
            readonly reason: string | null;
            /**
             * Status
             * @enum {string}
             */
            readonly status: "waiting" | "accepted" | "refused";
        };
        /**
         * ProposalBody
         * @description Something proposed from outside; its domain says whether it is one.
         * @example {
         *       "content": {
         *         "values": [
         *           0.25,
         *           -0.5,
         *           0.75
         *         ]
         *       }
         *     }
         */
        readonly ProposalBody: {
            /**
             * Content
             * @description The proposal, in the form that the domain takes.
             */
            readonly content: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * Proposals
         * @description Everything that was proposed to a run, in the order of asking.
         */
        readonly Proposals: {
            /** Proposals */
            readonly proposals: readonly components["schemas"]["Proposal"][];
        };
        /**
         * Proposed
         * @description A proposal that was left for the run; ``already`` says that it had been, with this key.
         */
        readonly Proposed: {
            /** Already */
            readonly already: boolean;
            /** Proposal Id */
            readonly proposal_id: string;
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * Provenance
         * @description What the verdict was made from.
         *
         *     Of programs the hashes are of the task and of both sources; of recorded samples, of what was asked and of both
         *     sides' values, and ``samples`` says where these stand in the log.
         */
        readonly Provenance: {
            /** Baseline Hash */
            readonly baseline_hash: string | null;
            /** Candidate Hash */
            readonly candidate_hash: string;
            /**
             * Platform
             * @default
             */
            readonly platform: string;
            readonly samples: components["schemas"]["SampleProvenance"] | null;
            readonly sandbox: components["schemas"]["SandboxProvenance"];
            /** Seeds */
            readonly seeds: {
                readonly [key: string]: number;
            };
            /** Spec Hash */
            readonly spec_hash: string;
            /** Versions */
            readonly versions: {
                readonly [key: string]: string;
            };
        };
        /**
         * ProviderItem
         * @description A provider: where it is, and whether its key is there; never the key.
         */
        readonly ProviderItem: {
            /** Address */
            readonly address: string | null;
            /**
             * Key Present
             * @default false
             */
            readonly key_present: boolean;
            /** Key Variable */
            readonly key_variable: string | null;
            /** Kind */
            readonly kind: string;
            /** Name */
            readonly name: string;
        } & {
            readonly [key: string]: Json;
        };
        /**
         * Ready
         * @description Whether the server can do its work, and which part is missing if not.
         */
        readonly Ready: {
            /** Parts */
            readonly parts: readonly components["schemas"]["Part"][];
            /** Ready */
            readonly ready: boolean;
        };
        /**
         * Reason
         * @description Why, with a code that stays the same when the sentence is improved.
         */
        readonly Reason: {
            /** Code */
            readonly code: string;
            /** Message */
            readonly message: string;
        };
        /**
         * RelationComparison
         * @description How often a relation was violated on either side, and the corrected chance of that if neither were worse.
         */
        readonly RelationComparison: {
            /** Baseline Violations */
            readonly baseline_violations: number;
            /** Candidate Violations */
            readonly candidate_violations: number;
            /** Category */
            readonly category: string | null;
            /** N */
            readonly n: number;
            /** P Worse */
            readonly p_worse: number;
        };
        /**
         * Repair
         * @description The candidate was malformed.
         */
        readonly Repair: {
            /** Reason */
            readonly reason: string;
            /** Sequence */
            readonly sequence: number;
        };
        /**
         * Replay
         * @description What a replay goes through and has to arrive at; digests are those that the run recorded at its end.
         */
        readonly Replay: {
            /**
             * Command
             * @description What replays it, in a process that can reach nobody.
             */
            readonly command: string;
            /** Commands */
            readonly commands: readonly components["schemas"]["CommandRow"][];
            /** Completions */
            readonly completions: number;
            /** Epochs */
            readonly epochs: readonly components["schemas"]["EpochRow"][];
            /** Events */
            readonly events: number;
            /** Events By Type */
            readonly events_by_type: {
                readonly [key: string]: number;
            };
            /** Failures By Code */
            readonly failures_by_code: {
                readonly [key: string]: number;
            };
            /**
             * First Event At
             * Format: date-time
             */
            readonly first_event_at: string;
            /** Head Hash */
            readonly head_hash: string;
            /**
             * Last Event At
             * Format: date-time
             */
            readonly last_event_at: string;
            /** Outcome Digest */
            readonly outcome_digest: string | null;
            /** Repeated */
            readonly repeated: {
                readonly [key: string]: number;
            };
            /** Run Id */
            readonly run_id: string;
            /** Sequence Through */
            readonly sequence_through: number;
            /** State Digest */
            readonly state_digest: string | null;
            readonly status: components["schemas"]["RunStatus"] | null;
        };
        /**
         * ReplayProof
         * @description What a replay has to arrive at: the digests are those that the run's last event recorded.
         */
        readonly ReplayProof: {
            /**
             * Command
             * @description What replays it, in a process that can reach nobody.
             */
            readonly command: string;
            /** Events */
            readonly events: number;
            /** Head Hash */
            readonly head_hash: string | null;
            /** Outcome Digest */
            readonly outcome_digest: string | null;
            /** State Digest */
            readonly state_digest: string | null;
        };
        /**
         * Resumed
         * @description Who conducts the run now.
         */
        readonly Resumed: {
            /**
             * Conducted
             * @enum {string}
             */
            readonly conducted: "here" | "elsewhere" | "nobody";
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * Retrieval
         * @description What became of a query, the best passages first; none is an answer too.
         *
         *     ``provider`` is who found them. With a ``failure`` the source that was asked brought nothing: either the passages
         *     are ``fallback_sourced``, from the curated corpus that stands in for it, or there are none.
         */
        readonly Retrieval: {
            /** Failure */
            readonly failure: ("not_configured" | "auth" | "rate_limited" | "bad_request" | "overloaded" | "timeout" | "connection" | "answer_too_large" | "unreadable" | "not_recorded" | "broken") | null;
            /**
             * Fallback Sourced
             * @default false
             */
            readonly fallback_sourced: boolean;
            /**
             * Latency Ms
             * @default 0
             */
            readonly latency_ms: number;
            /** Limit */
            readonly limit: number;
            /**
             * Passages
             * @default []
             */
            readonly passages: readonly components["schemas"]["Passage"][];
            /** Provider */
            readonly provider: string;
            /** Query */
            readonly query: string;
        };
        /**
         * RolePlan
         * @description Who plays a role. Several ``sources`` are an ensemble; the ``fallback`` is asked once, when one has failed.
         *
         *     ``sampling`` holds where a question leaves it open. With ``fan_out`` so many of the sources are asked at once, and
         *     the ``chooser`` says whose answer counts: the first one's in their order that is accepted, or what most agree on.
         */
        readonly RolePlan: {
            /**
             * Chooser
             * @default first
             * @enum {string}
             */
            readonly chooser: "first" | "most_agreed";
            readonly fallback: components["schemas"]["Source"] | null;
            /**
             * Fan Out
             * @default 1
             */
            readonly fan_out: number;
            /**
             * @default {
             *       "answer_bytes": 1048576,
             *       "prompt_bytes": 60000,
             *       "timeout_ms": 60000,
             *       "tokens_out": 4096
             *     }
             */
            readonly limits: components["schemas"]["CallLimits"];
            /**
             * Retries
             * @default 2
             */
            readonly retries: number;
            /**
             * @default {
             *       "stop": []
             *     }
             */
            readonly sampling: components["schemas"]["Sampling"];
            /** Sources */
            readonly sources: readonly components["schemas"]["Source"][];
        };
        /**
         * RoleRoutes
         * @description A role, and who plays it.
         */
        readonly RoleRoutes: {
            /** Asked At Once */
            readonly asked_at_once: number | null;
            readonly fallback: components["schemas"]["RouteSource"] | null;
            /** Limits */
            readonly limits: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Overridable */
            readonly overridable: readonly string[];
            /** Played */
            readonly played: boolean;
            /** Retries */
            readonly retries: number | null;
            /** Role */
            readonly role: string;
            /** Sources */
            readonly sources: readonly components["schemas"]["RouteSource"][];
        } & {
            readonly [key: string]: Json;
        };
        /**
         * RoutePrice
         * @description US dollars for a million tokens.
         */
        readonly RoutePrice: {
            /** Input Usd */
            readonly input_usd: number;
            /** Output Usd */
            readonly output_usd: number;
        } & {
            readonly [key: string]: Json;
        };
        /**
         * RouteSource
         * @description Somebody who plays a role; of a key only the name of its variable, and whether it is set.
         */
        readonly RouteSource: {
            /**
             * Key Present
             * @default false
             */
            readonly key_present: boolean;
            /** Key Variable */
            readonly key_variable: string | null;
            /** Name */
            readonly name: string;
            readonly price: components["schemas"]["RoutePrice"] | null;
            /** Route */
            readonly route: string;
            /** Structured */
            readonly structured: string;
            /** Weight */
            readonly weight: number;
        } & {
            readonly [key: string]: Json;
        };
        /**
         * RunCaps
         * @description Hard limits of one run. Money is counted in millionths of a US dollar, time in milliseconds.
         *
         *     An evaluation is one program run against one case.
         */
        readonly RunCaps: {
            /**
             * Energy Budget
             * @default 100000
             */
            readonly energy_budget: number;
            /**
             * Max Candidates
             * @default 10000
             */
            readonly max_candidates: number;
            /**
             * Max Cost Microusd
             * @default 5000000
             */
            readonly max_cost_microusd: number;
            /**
             * Max Evaluations
             * @default 1000000000
             */
            readonly max_evaluations: number;
            /**
             * Max Generations
             * @default 10
             */
            readonly max_generations: number;
            /**
             * Max Population
             * @default 20
             */
            readonly max_population: number;
            /**
             * Max Spawn Depth
             * @default 16
             */
            readonly max_spawn_depth: number;
            /**
             * Max Tokens
             * @default 2000000
             */
            readonly max_tokens: number;
            /**
             * Max Tool Calls
             * @default 1000
             */
            readonly max_tool_calls: number;
            /**
             * Wall Clock Ms
             * @default 3600000
             */
            readonly wall_clock_ms: number;
        };
        /**
         * RunConfig
         * @description Everything a run is started with. The rubric and the judge's route are not in it: no run chooses those.
         *
         *     ``niche`` names the niche whose champion and error budget the run adds to; ``niches`` are those that it has beside
         *     that one. Champions among the ``ancestors`` and ``challenges_before`` are what it found there, taken from the log
         *     when the run was recorded (rule 10). A run that ``never_challenges`` claims no niche. ``continues`` names the run
         *     whose settings and best survivors this one began from, ``follows`` the chapter before it: an endless host is kept as
         *     bounded runs that follow each other, so that no log grows for ever; ``parameters`` are those of the domain that held
         *     at the end of that chapter. ``state_deadline_ms`` bounds how long a
         *     generation may stay in one state. ``allow_weak_sandbox`` lets a run go on behind too few walls; nothing that it then
         *     finds can be adopted (rule 3). ``models`` are those that it may ask, with their prices; a run without any asks
         *     nobody.
         */
        readonly RunConfig: {
            /**
             * Allow Weak Sandbox
             * @default false
             */
            readonly allow_weak_sandbox: boolean;
            /**
             * Alpha
             * @default 0.05
             */
            readonly alpha: number;
            /**
             * Ancestors
             * @default []
             */
            readonly ancestors: readonly components["schemas"]["Ancestor"][];
            readonly archive: components["schemas"]["ArchiveConfig"] | null;
            /**
             * @default {
             *       "energy_budget": 100000,
             *       "max_candidates": 10000,
             *       "max_cost_microusd": 5000000,
             *       "max_evaluations": 1000000000,
             *       "max_generations": 10,
             *       "max_population": 20,
             *       "max_spawn_depth": 16,
             *       "max_tokens": 2000000,
             *       "max_tool_calls": 1000,
             *       "wall_clock_ms": 3600000
             *     }
             */
            readonly caps: components["schemas"]["RunCaps"];
            /**
             * Challenges Before
             * @default 0
             */
            readonly challenges_before: number;
            /** Continues */
            readonly continues: string | null;
            /** Domain */
            readonly domain: string;
            readonly domain_config: components["schemas"]["DomainPayload"] | null;
            /**
             * Enabled Subtypes
             * @default []
             */
            readonly enabled_subtypes: readonly string[];
            /**
             * @default {
             *       "cpu_basis": "cpu_ms",
             *       "cpu_ms_per_unit": 100,
             *       "opcodes_per_unit": 1000000,
             *       "per_spawn": 50,
             *       "per_tool_call": 5,
             *       "tokens_per_unit": 1000
             *     }
             */
            readonly energy_costs: components["schemas"]["EnergyCosts"];
            /** Follows */
            readonly follows: string | null;
            /**
             * Generation Bias
             * @default 0
             */
            readonly generation_bias: number;
            /**
             * Generation Operators
             * @default []
             */
            readonly generation_operators: readonly string[];
            readonly islands: components["schemas"]["IslandsConfig"] | null;
            /**
             * Min Population Survival
             * @default 0
             */
            readonly min_population_survival: number;
            /**
             * Model Profile
             * @default offline
             */
            readonly model_profile: string;
            /** Model Route Overrides */
            readonly model_route_overrides: {
                readonly [key: string]: components["schemas"]["ModelRoute"];
            };
            readonly models: components["schemas"]["ModelPlan"] | null;
            /**
             * Never Challenges
             * @default false
             */
            readonly never_challenges: boolean;
            /** Niche */
            readonly niche: string | null;
            /**
             * Niches
             * @default []
             */
            readonly niches: readonly components["schemas"]["NicheStart"][];
            /**
             * @default {
             *       "kind": "generational",
             *       "order": "birth",
             *       "window": 8
             *     }
             */
            readonly pace: components["schemas"]["Pace-Output"];
            readonly parameters: components["schemas"]["DomainPayload"] | null;
            /** Problem */
            readonly problem: string;
            /** Rng Seed */
            readonly rng_seed: number;
            /**
             * @default {
             *       "version": "default-1",
             *       "weights": {}
             *     }
             */
            readonly scoring_policy: components["schemas"]["ScoringPolicy"];
            /**
             * Selector
             * @default tournament
             */
            readonly selector: string;
            /**
             * Slots
             * @default 2
             */
            readonly slots: number;
            /** State Deadline Ms */
            readonly state_deadline_ms: number | null;
            readonly stop: components["schemas"]["StopConditions"] | null;
        };
        /**
         * RunDetail
         * @description A run, with what it was configured with.
         */
        readonly RunDetail: {
            /** Best Candidate Id */
            readonly best_candidate_id: string | null;
            /** Best Fitness */
            readonly best_fitness: number | null;
            /**
             * Candidates
             * @default 0
             */
            readonly candidates: number;
            /** Caps */
            readonly caps: {
                readonly [key: string]: number | null;
            } | null;
            /**
             * Champion Id
             * @description The champion of the first niche that has one.
             */
            readonly champion_id: string | null;
            /**
             * Champions
             * @description By niche, those that the gate let in.
             */
            readonly champions: {
                readonly [key: string]: string;
            };
            /**
             * Conducted
             * @default nobody
             * @enum {string}
             */
            readonly conducted: "here" | "elsewhere" | "nobody";
            readonly config: components["schemas"]["RunConfig"] | null;
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Damage
             * @description Why there is less to say than usual: the log is damaged.
             */
            readonly damage: string | null;
            /** Domain */
            readonly domain: string | null;
            /**
             * Ended
             * @description The event with which it ended.
             */
            readonly ended: number | null;
            /**
             * Energy Spent
             * @default 0
             */
            readonly energy_spent: number;
            /**
             * Events
             * @default 0
             */
            readonly events: number;
            /** Final Candidate Id */
            readonly final_candidate_id: string | null;
            /** Generation */
            readonly generation: number | null;
            /** Last Event At */
            readonly last_event_at: string | null;
            /**
             * Model Calls
             * @default 0
             */
            readonly model_calls: number;
            /** Model Profile */
            readonly model_profile: string | null;
            /** Problem */
            readonly problem: string | null;
            /** Reason */
            readonly reason: string | null;
            /** Rng Seed */
            readonly rng_seed: number | null;
            /** Run Id */
            readonly run_id: string;
            /**
             * Scored
             * @default 0
             */
            readonly scored: number;
            /**
             * Sequence
             * @description The last event that this is made of.
             */
            readonly sequence: number;
            /**
             * Spark
             * @default []
             */
            readonly spark: readonly (readonly [
                number,
                number
            ])[];
            /** Started At */
            readonly started_at: string | null;
            readonly status: components["schemas"]["RunStatus"] | null;
            /**
             * Tokens
             * @default 0
             */
            readonly tokens: number;
        };
        /**
         * RunPage
         * @description Some of the runs; ``next`` asks for those after them.
         */
        readonly RunPage: {
            /** Next */
            readonly next: string | null;
            /** Runs */
            readonly runs: readonly components["schemas"]["RunSummary"][];
            /**
             * Total
             * @description How many there are that fit the filter.
             */
            readonly total: number;
        };
        /**
         * RunRequest
         * @description A run to be begun. ``inputs`` are those of the domain's form; a domain without a form takes ``config``.
         */
        readonly RunRequest: {
            /** @default {} */
            readonly caps?: components["schemas"]["CapsAsked"];
            /**
             * Config
             * @description The domain's own configuration.
             */
            readonly config?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Domain */
            readonly domain: string;
            /**
             * Inputs
             * @description What the domain's form asks for.
             */
            readonly inputs?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /**
             * Model Profile
             * @description `live` lets the models of the settings join; else nobody is asked.
             */
            readonly model_profile?: ("offline" | "live") | null;
            readonly pace?: components["schemas"]["Pace-Input"] | null;
            /**
             * Problem
             * @description What the run is about, in words.
             */
            readonly problem?: string | null;
            /**
             * Rng Seed
             * @description The number behind every draw; if none is given, the key determines it.
             */
            readonly rng_seed?: number | null;
            /**
             * Selector
             * @description Who chooses parents.
             */
            readonly selector?: string | null;
            /**
             * Slots
             * @description Operations at once.
             */
            readonly slots?: number | null;
        };
        /**
         * RunStatus
         * @description A run is terminal once completed, stopped, failed or cancelled.
         * @enum {string}
         */
        readonly RunStatus: "configured" | "running" | "completing" | "completed" | "stopping" | "stopped" | "failed" | "cancelled";
        /**
         * RunSummary
         * @description A run in a list. ``spark`` is how the best came about: pairs of (scored so far, fitness).
         */
        readonly RunSummary: {
            /** Best Candidate Id */
            readonly best_candidate_id: string | null;
            /** Best Fitness */
            readonly best_fitness: number | null;
            /**
             * Candidates
             * @default 0
             */
            readonly candidates: number;
            /** Caps */
            readonly caps: {
                readonly [key: string]: number | null;
            } | null;
            /**
             * Champion Id
             * @description The champion of the first niche that has one.
             */
            readonly champion_id: string | null;
            /**
             * Champions
             * @description By niche, those that the gate let in.
             */
            readonly champions: {
                readonly [key: string]: string;
            };
            /**
             * Conducted
             * @default nobody
             * @enum {string}
             */
            readonly conducted: "here" | "elsewhere" | "nobody";
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Damage
             * @description Why there is less to say than usual: the log is damaged.
             */
            readonly damage: string | null;
            /** Domain */
            readonly domain: string | null;
            /**
             * Ended
             * @description The event with which it ended.
             */
            readonly ended: number | null;
            /**
             * Energy Spent
             * @default 0
             */
            readonly energy_spent: number;
            /**
             * Events
             * @default 0
             */
            readonly events: number;
            /** Final Candidate Id */
            readonly final_candidate_id: string | null;
            /** Generation */
            readonly generation: number | null;
            /** Last Event At */
            readonly last_event_at: string | null;
            /**
             * Model Calls
             * @default 0
             */
            readonly model_calls: number;
            /** Model Profile */
            readonly model_profile: string | null;
            /** Problem */
            readonly problem: string | null;
            /** Reason */
            readonly reason: string | null;
            /** Rng Seed */
            readonly rng_seed: number | null;
            /** Run Id */
            readonly run_id: string;
            /**
             * Scored
             * @default 0
             */
            readonly scored: number;
            /**
             * Sequence
             * @description The last event that this is made of.
             */
            readonly sequence: number;
            /**
             * Spark
             * @default []
             */
            readonly spark: readonly (readonly [
                number,
                number
            ])[];
            /** Started At */
            readonly started_at: string | null;
            readonly status: components["schemas"]["RunStatus"] | null;
            /**
             * Tokens
             * @default 0
             */
            readonly tokens: number;
        };
        /**
         * SampleProvenance
         * @description Which recorded samples a verdict was made from.
         *
         *     ``recorded`` counts them with repeats, ``operations`` are those that recorded them, ``cases`` is the digest of the
         *     sorted case ids. ``sandboxed`` is what the judge was told of the domain's registration; the kernel takes no verdict
         *     that was told otherwise.
         */
        readonly SampleProvenance: {
            /** Cases */
            readonly cases: string;
            /** Operations */
            readonly operations: readonly string[];
            /** Recorded */
            readonly recorded: number;
            /** Sandboxed */
            readonly sandboxed: boolean;
        };
        /**
         * Sampling
         * @description How an answer is drawn. What is None is left to the provider, and recorded so.
         */
        readonly Sampling: {
            /** Seed */
            readonly seed: number | null;
            /**
             * Stop
             * @default []
             */
            readonly stop: readonly string[];
            /** Temperature */
            readonly temperature: number | null;
            /** Top P */
            readonly top_p: number | null;
        };
        /**
         * SandboxProvenance
         * @description Under which isolation the observations were made.
         */
        readonly SandboxProvenance: {
            /**
             * Backend
             * @default
             */
            readonly backend: string;
            /** Fingerprint */
            readonly fingerprint: string | null;
            /**
             * Layers
             * @default []
             */
            readonly layers: readonly string[];
            /** Missing */
            readonly missing: {
                readonly [key: string]: string;
            };
            /** Tier */
            readonly tier: string;
            /**
             * Weakened
             * @default false
             */
            readonly weakened: boolean;
        };
        /**
         * ScoringPolicy
         * @description How components become a total. What breeds can neither see nor move it (rule 6).
         */
        readonly ScoringPolicy: {
            /** Normalization */
            readonly normalization: string | null;
            /**
             * Version
             * @default default-1
             */
            readonly version: string;
            /** Weights */
            readonly weights: {
                readonly [key: string]: number;
            };
        };
        /**
         * SelectionNote
         * @description An event of selection about the candidate or its genome; which fields are filled depends on the type.
         */
        readonly SelectionNote: {
            /**
             * Children
             * @default []
             */
            readonly children: readonly string[];
            /** Reason */
            readonly reason: string | null;
            /** Scores */
            readonly scores: {
                readonly [key: string]: number;
            };
            /** Sequence */
            readonly sequence: number;
            /** Type */
            readonly type: string;
        };
        /**
         * SettingItem
         * @description A setting; a secret is masked.
         */
        readonly SettingItem: {
            /** Description */
            readonly description: string;
            /** Key */
            readonly key: string;
            /**
             * Source
             * @description Where it was set: a file, a variable, a flag, or `default`.
             */
            readonly source: string;
            /** Value */
            readonly value: string;
        };
        /**
         * SettingsPage
         * @description Every setting of this process.
         */
        readonly SettingsPage: {
            /** Settings */
            readonly settings: readonly components["schemas"]["SettingItem"][];
        };
        /**
         * ShownColumn
         * @description A column of a table; ``value`` is a path within a row.
         */
        readonly ShownColumn: {
            /**
             * Format
             * @default text
             * @enum {string}
             */
            readonly format: "text" | "number" | "factor" | "share" | "bytes" | "duration";
            /** Title */
            readonly title: string;
            /** Value */
            readonly value: string;
        };
        /**
         * ShownFigure
         * @description One value with what it is of, and its interval if it has one.
         */
        readonly ShownFigure: {
            /**
             * Format
             * @default number
             * @enum {string}
             */
            readonly format: "text" | "number" | "factor" | "share" | "bytes" | "duration";
            /** High */
            readonly high: string | null;
            /** Label */
            readonly label: string;
            /** Low */
            readonly low: string | null;
            /** Name */
            readonly name: string;
            /** Value */
            readonly value: string;
        };
        /**
         * Side
         * @description One of the programs that were compared, as it was shipped to the sandbox.
         */
        readonly Side: {
            /** Entry */
            readonly entry: string;
            /** Files */
            readonly files: {
                readonly [key: string]: string;
            };
            /** Hash */
            readonly hash: string;
            /** Origin */
            readonly origin: string;
        };
        /**
         * Source
         * @description A model that serves a role. ``name`` is what an ensemble knows it by; without a ``price`` it costs nothing.
         */
        readonly Source: {
            /**
             * @default {
             *       "embeddings": false,
             *       "streaming": false,
             *       "structured": "json_schema",
             *       "tools": false
             *     }
             */
            readonly capabilities: components["schemas"]["Capabilities"];
            /** Name */
            readonly name: string;
            /**
             * @default {
             *       "input_microusd": 0,
             *       "output_microusd": 0
             *     }
             */
            readonly price: components["schemas"]["Price"];
            readonly route: components["schemas"]["ModelRoute"];
            /** Timeout Ms */
            readonly timeout_ms: number | null;
            /**
             * Weight
             * @default 1
             */
            readonly weight: number;
        };
        /**
         * SourceFile
         * @description One file of what was bred.
         */
        readonly SourceFile: {
            /** Path */
            readonly path: string;
            /** Source */
            readonly source: string;
        };
        /**
         * SourceText
         * @description What was bred, readable. ``source`` is all of it; ``files`` are its parts, where it has several.
         */
        readonly SourceText: {
            /** Files */
            readonly files: readonly components["schemas"]["SourceFile"][];
            /**
             * Language
             * @description What to highlight it as: python, json, text, or a language's own name.
             */
            readonly language: string;
            /** Source */
            readonly source: string;
        };
        /**
         * Spend
         * @description What models were asked and what that cost, over all runs.
         */
        readonly Spend: {
            /** By Model */
            readonly by_model: readonly components["schemas"]["SpentBy"][];
            /** Next */
            readonly next: string | null;
            /**
             * Runs
             * @description Those in which any model was asked, newest first.
             */
            readonly runs: readonly components["schemas"]["SpentInRun"][];
            readonly total: components["schemas"]["Spent"];
        };
        /**
         * Spent
         * @description Calls to models and what they took. Money in millionths of a US dollar.
         */
        readonly Spent: {
            /**
             * Calls
             * @default 0
             */
            readonly calls: number;
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Failures
             * @default 0
             */
            readonly failures: number;
            /**
             * Latency Ms
             * @description Of all calls together.
             * @default 0
             */
            readonly latency_ms: number;
            /**
             * Tokens In
             * @default 0
             */
            readonly tokens_in: number;
            /**
             * Tokens Out
             * @default 0
             */
            readonly tokens_out: number;
        };
        /**
         * SpentBy
         * @description What was spent on a model in a role.
         */
        readonly SpentBy: {
            /**
             * Calls
             * @default 0
             */
            readonly calls: number;
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Failures
             * @default 0
             */
            readonly failures: number;
            /**
             * Latency Ms
             * @description Of all calls together.
             * @default 0
             */
            readonly latency_ms: number;
            /** Model Id */
            readonly model_id: string | null;
            /** Provider */
            readonly provider: string | null;
            /** Role */
            readonly role: string;
            /**
             * Tokens In
             * @default 0
             */
            readonly tokens_in: number;
            /**
             * Tokens Out
             * @default 0
             */
            readonly tokens_out: number;
        };
        /**
         * SpentInRun
         * @description What was spent in a run.
         */
        readonly SpentInRun: {
            /**
             * Calls
             * @default 0
             */
            readonly calls: number;
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Failures
             * @default 0
             */
            readonly failures: number;
            /**
             * Latency Ms
             * @description Of all calls together.
             * @default 0
             */
            readonly latency_ms: number;
            /** Problem */
            readonly problem: string | null;
            /** Run Id */
            readonly run_id: string;
            /** Status */
            readonly status: string | null;
            /**
             * Tokens In
             * @default 0
             */
            readonly tokens_in: number;
            /**
             * Tokens Out
             * @default 0
             */
            readonly tokens_out: number;
        };
        /**
         * StatusPart
         * @description One line that says whether something is so.
         */
        readonly StatusPart: {
            /** Name */
            readonly name: string;
            /** No */
            readonly no: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "status";
            /** Value */
            readonly value: string;
            /** Yes */
            readonly yes: string;
        };
        /**
         * Step
         * @description One operation about the candidate. Without its marker in the log, nobody knows its kind.
         */
        readonly Step: {
            /** Attempt */
            readonly attempt: number;
            /** Degraded */
            readonly degraded: boolean;
            /** Energy */
            readonly energy: number;
            readonly error: components["schemas"]["Reason"] | null;
            readonly findings: components["schemas"]["DomainPayload"] | null;
            /** Kind */
            readonly kind: ("vary" | "express" | "repair" | "examine" | "challenge" | "adopt" | "revoke" | "wait" | "child") | null;
            /** Operation Id */
            readonly operation_id: string;
            /**
             * Outcome
             * @enum {string}
             */
            readonly outcome: "in_flight" | "completed" | "failed";
            /** Refs */
            readonly refs: readonly components["schemas"]["EvidenceRef"][];
            /** Step */
            readonly step: string;
            readonly usage: components["schemas"]["Usage"];
        };
        /**
         * StepWords
         * @description What one step is called.
         *
         *     ``word`` says what goes on while it is at work: "checking". Without a ``role`` examinations and challenges are
         *     checks. ``started`` to ``degraded`` are the names that projections and streams show for these phases, beside the
         *     type that the log has.
         */
        readonly StepWords: {
            /** Completed */
            readonly completed: string | null;
            /** Degraded */
            readonly degraded: string | null;
            /** Failed */
            readonly failed: string | null;
            /** Role */
            readonly role: ("check" | "review" | "novelty" | "audit") | null;
            /** Started */
            readonly started: string | null;
            /** Step */
            readonly step: string;
            /** Word */
            readonly word: string;
        };
        /**
         * StopConditions
         * @description When a run has done enough; the first that holds counts. Caps forbid, these let it end well.
         *
         *     Nothing more is bred then, and what was scored may still stand before the gate. ``target`` is the fitness of a
         *     champion of this run; ``stagnation`` so many births in a row that brought nothing fitter.
         */
        readonly StopConditions: {
            /** Seconds */
            readonly seconds: number | null;
            /** Stagnation */
            readonly stagnation: number | null;
            /** Target */
            readonly target: number | null;
        };
        /**
         * TablePart
         * @description The list at ``rows`` as a table.
         */
        readonly TablePart: {
            /** Caption */
            readonly caption: string;
            /** Columns */
            readonly columns: readonly components["schemas"]["ShownColumn"][];
            /** Name */
            readonly name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "table";
            /** Rows */
            readonly rows: string;
        };
        /**
         * TextPart
         * @description A text or source, as it is.
         */
        readonly TextPart: {
            /** Label */
            readonly label: string;
            /** Language */
            readonly language: string | null;
            /** Name */
            readonly name: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            readonly part: "text";
            /** Value */
            readonly value: string;
        };
        /**
         * ToolRecord
         * @description One call that a model wished for, whatever became of it: this is what the log keeps.
         *
         *     ``name`` and ``arguments`` are what the model wrote, cut to what can be recorded. ``text`` is the answer, or why
         *     there is none; ``provider`` is who was asked, empty if nobody was.
         */
        readonly ToolRecord: {
            /** Arguments */
            readonly arguments: string;
            /** Call Id */
            readonly call_id: string;
            /**
             * Code
             * @enum {string}
             */
            readonly code: "answered" | "unknown_tool" | "not_permitted" | "bad_arguments" | "cap_reached" | "address_refused" | "content_refused" | "too_many_redirects" | "not_configured" | "auth" | "rate_limited" | "bad_request" | "overloaded" | "timeout" | "connection" | "answer_too_large" | "unreadable" | "not_recorded" | "broken";
            /**
             * Fallback Sourced
             * @default false
             */
            readonly fallback_sourced: boolean;
            /**
             * Latency Ms
             * @default 0
             */
            readonly latency_ms: number;
            /** Name */
            readonly name: string;
            /**
             * Provider
             * @default
             */
            readonly provider: string;
            /** Text */
            readonly text: string;
        };
        /**
         * Usage
         * @description What an operation used. Money in millionths of a US dollar.
         *
         *     One evaluation is one program run against one case; the sandbox's port counts them, whatever a handler says.
         */
        readonly Usage: {
            /**
             * Cost Microusd
             * @default 0
             */
            readonly cost_microusd: number;
            /**
             * Cpu Ms
             * @default 0
             */
            readonly cpu_ms: number;
            /**
             * Evaluations
             * @default 0
             */
            readonly evaluations: number;
            /**
             * Opcodes
             * @default 0
             */
            readonly opcodes: number;
            /**
             * Peak Memory Bytes
             * @default 0
             */
            readonly peak_memory_bytes: number;
            /**
             * Spawns
             * @default 0
             */
            readonly spawns: number;
            /**
             * Tokens In
             * @default 0
             */
            readonly tokens_in: number;
            /**
             * Tokens Out
             * @default 0
             */
            readonly tokens_out: number;
            /**
             * Tool Calls
             * @default 0
             */
            readonly tool_calls: number;
            /**
             * Wall Ms
             * @default 0
             */
            readonly wall_ms: number;
        };
        /**
         * Verdict
         * @description One decision of the gate about one candidate.
         */
        readonly Verdict: {
            /** Candidate Id */
            readonly candidate_id: string;
            readonly challenge: components["schemas"]["Challenge"];
            readonly decision: components["schemas"]["Decision"];
            /**
             * Flaky
             * @default false
             */
            readonly flaky: boolean;
            /**
             * Intervals
             * @default []
             */
            readonly intervals: readonly components["schemas"]["Interval"][];
            /**
             * Looks
             * @default []
             */
            readonly looks: readonly components["schemas"]["Look"][];
            /** Metrics */
            readonly metrics: {
                readonly [key: string]: components["schemas"]["MetricComparison"];
            };
            /**
             * Mode
             * @enum {string}
             */
            readonly mode: "exact" | "statistical" | "absolute";
            /** N */
            readonly n: number;
            /** N To Decide */
            readonly n_to_decide: number | null;
            /** Policy */
            readonly policy: string;
            readonly provenance: components["schemas"]["Provenance"];
            /** Reasons */
            readonly reasons: readonly components["schemas"]["Reason"][];
            /** Relations */
            readonly relations: {
                readonly [key: string]: components["schemas"]["RelationComparison"];
            };
            readonly report: components["schemas"]["BlobRef"] | null;
            /** Summaries */
            readonly summaries: {
                readonly [key: string]: Json;
            };
            /**
             * Violations
             * @default []
             */
            readonly violations: readonly components["schemas"]["Violation"][];
            /**
             * Warnings
             * @default []
             */
            readonly warnings: readonly components["schemas"]["Reason"][];
        };
        /**
         * VerdictItem
         * @description What the gate said of the candidate, and what became of it.
         */
        readonly VerdictItem: {
            /**
             * Alpha
             * @description What this challenge spent of the run's error budget.
             */
            readonly alpha: number | null;
            readonly decision: components["schemas"]["Decision"] | null;
            /** Event Id */
            readonly event_id: string;
            /** Intervals */
            readonly intervals: readonly components["schemas"]["GateInterval"][];
            /**
             * K
             * @description Which challenge of its niche it was.
             */
            readonly k: number | null;
            /** Mode */
            readonly mode: string | null;
            /** N */
            readonly n: number | null;
            /** Niche */
            readonly niche: string | null;
            /** Policy */
            readonly policy: string | null;
            /** Reason */
            readonly reason: string | null;
            /** Sequence */
            readonly sequence: number;
            /** @description Whole, with metrics, relations, violations and looks. */
            readonly verdict: components["schemas"]["Verdict"] | null;
            /**
             * What
             * @enum {string}
             */
            readonly what: "verdict" | "adopted" | "confirmed" | "revoked";
        };
        /**
         * Violation
         * @description One case that speaks against a side, as small as it could be made, with what is needed to see it again.
         *
         *     ``arguments`` are the case's own, as ``value_json`` writes them; None where they are too large to keep.
         */
        readonly Violation: {
            /** Arguments */
            readonly arguments: readonly components["schemas"]["JsonValue"][] | null;
            /** Case */
            readonly case: number;
            /**
             * Detail
             * @default
             */
            readonly detail: string;
            /**
             * Expected
             * @default
             */
            readonly expected: string;
            /**
             * Got
             * @default
             */
            readonly got: string;
            /**
             * Input
             * @default
             */
            readonly input: string;
            /**
             * Kind
             * @enum {string}
             */
            readonly kind: "mismatch" | "property" | "relation" | "failure";
            /** Name */
            readonly name: string;
            /**
             * Shrunk
             * @default false
             */
            readonly shrunk: boolean;
            /**
             * Side
             * @default candidate
             * @enum {string}
             */
            readonly side: "candidate" | "baseline";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly get_caps: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CapsView"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_doctor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Doctor"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly probe: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Doctor"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_domains: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["DomainView"][];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_files: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FilePage"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly open_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A run as `mendel log export` and `GET /api/runs/{run_id}/export` write it. */
        readonly requestBody: {
            readonly content: {
                readonly "application/x-ndjson": string;
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FileOpened"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly close_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_run_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_candidates_of_file: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `next` of the page before.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description In the order of their births, or the fittest first. */
                readonly sort?: "birth" | "fitness";
                /** @description Only candidates in this state. */
                readonly status?: components["schemas"]["CandidateStatus"] | null;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidatePage"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_candidate_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description A candidate's id.
                 * @example candidate-7
                 */
                readonly cid: string;
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidateDetail"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_events_of_file: {
        readonly parameters: {
            readonly query?: {
                /** @example 20 */
                readonly limit?: number;
                /**
                 * @description The last event that is known; those after it are sent.
                 * @example 120
                 */
                readonly since?: number;
                /**
                 * @description Only events of this type.
                 * @example gate.verdict
                 */
                readonly type?: ("adoption.confirmed" | "adoption.made" | "adoption.revoked" | "blob.stored" | "candidate.checked" | "candidate.created" | "candidate.entered" | "candidate.left" | "candidate.rejected" | "candidate.repair_started" | "candidate.selected" | "candidate.under_review" | "candidate_invalidated" | "command.accepted" | "command.refused" | "conductor_took_over" | "energy.spent" | "energy_exhausted" | "fitness.rescored" | "fitness.scored" | "gate.verdict" | "generation.completed" | "generation.degraded" | "generation.partial_failure" | "generation.reproducing" | "generation.scoring" | "generation.skipped" | "generation.started" | "generation.verifying" | "generation_failed" | "genome.activated" | "genome.eligible" | "genome.failed" | "genome.fused" | "genome.mutated" | "genome.reproduced" | "genome.spawned" | "genome.spent" | "lineage.culled" | "llm_call_telemetry" | "operation.completed" | "operation.failed" | "operation.started" | "output_schema_rejected" | "provider_call_failed" | "reproduction_aborted_insufficient_parents" | "run.cancelled" | "run.cap_reached" | "run.completed" | "run.completing" | "run.configured" | "run.failed" | "run.heartbeat" | "run.started" | "run.stopped" | "run.stopping" | "spawn.clamped") | null;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly export_run_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The run as one file, with its blobs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_final_proof_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FinalProof"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_health_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_history_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["History"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_lineage_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LineageView"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_parameters_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Parameters"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_replay_of_file: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description `file_id` of an opened file.
                 * @example 9f2c51d07ab3e648
                 */
                readonly file_id: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_reports: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `next` of the page before.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @description Only those. */
                readonly decision?: ("adopt" | "reject" | "undecided") | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description Only those. */
                readonly source?: ("report" | "run") | null;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GuardPage"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_report: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example report_20260101T120000.000000Z */
                readonly report_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GuardReport"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_model_routes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelRoutes"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_spend: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `next` of the page before.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /**
                 * @description How many runs are told one by one.
                 * @example 20
                 */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Spend"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_plugins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Plugins"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_runs: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `next` of the page before.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /**
                 * @description Only runs of this domain, be it installed here or not.
                 * @example programs
                 */
                readonly domain?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /**
                 * @description Words of the problem, or part of an id.
                 * @example sort
                 */
                readonly q?: string | null;
                readonly sort?: "newest" | "oldest" | "best" | "cost" | "events";
                /** @description Only runs in this state. */
                readonly status?: components["schemas"]["RunStatus"] | null;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly launch_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunRequest"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 201: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Launched"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly cancel_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommandBody"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Commanded"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_candidates: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `next` of the page before.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description In the order of their births, or the fittest first. */
                readonly sort?: "birth" | "fitness";
                /** @description Only candidates in this state. */
                readonly status?: components["schemas"]["CandidateStatus"] | null;
            };
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidatePage"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_candidate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description A candidate's id.
                 * @example candidate-7
                 */
                readonly cid: string;
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CandidateDetail"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_events: {
        readonly parameters: {
            readonly query?: {
                /** @example 20 */
                readonly limit?: number;
                /**
                 * @description The last event that is known; those after it are sent.
                 * @example 120
                 */
                readonly since?: number;
                /**
                 * @description Only events of this type.
                 * @example gate.verdict
                 */
                readonly type?: ("adoption.confirmed" | "adoption.made" | "adoption.revoked" | "blob.stored" | "candidate.checked" | "candidate.created" | "candidate.entered" | "candidate.left" | "candidate.rejected" | "candidate.repair_started" | "candidate.selected" | "candidate.under_review" | "candidate_invalidated" | "command.accepted" | "command.refused" | "conductor_took_over" | "energy.spent" | "energy_exhausted" | "fitness.rescored" | "fitness.scored" | "gate.verdict" | "generation.completed" | "generation.degraded" | "generation.partial_failure" | "generation.reproducing" | "generation.scoring" | "generation.skipped" | "generation.started" | "generation.verifying" | "generation_failed" | "genome.activated" | "genome.eligible" | "genome.failed" | "genome.fused" | "genome.mutated" | "genome.reproduced" | "genome.spawned" | "genome.spent" | "lineage.culled" | "llm_call_telemetry" | "operation.completed" | "operation.failed" | "operation.started" | "output_schema_rejected" | "provider_call_failed" | "reproduction_aborted_insufficient_parents" | "run.cancelled" | "run.cap_reached" | "run.completed" | "run.completing" | "run.configured" | "run.failed" | "run.heartbeat" | "run.started" | "run.stopped" | "run.stopping" | "spawn.clamped") | null;
            };
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly export_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The run as one file, with its blobs. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_final_proof: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FinalProof"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_history: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["History"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly kill_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommandBody"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Commanded"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_lineage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LineageView"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_parameters: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Parameters"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly set_parameters: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ParametersBody"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ParametersSent"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly list_proposals: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Proposals"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly propose: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProposalBody"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Proposed"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_replay: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description Nothing is new since the event that `If-None-Match` names. */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly resume_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Resumed"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly stop_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description A text of your choice for this wish; sent again, it is answered again and done once. */
                readonly "Idempotency-Key": string;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommandBody"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 202: {
                headers: {
                    /** @description `true` if it was done before. */
                    readonly "Idempotent-Replay"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Commanded"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            readonly 409: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            readonly 415: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly stream_run: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Events as recorded, or what each changes in the rows.
                 * @example changes
                 */
                readonly form?: "events" | "changes";
                /**
                 * @description The last event that is known; those after it are sent.
                 * @example 120
                 */
                readonly since?: number;
            };
            readonly header?: {
                /**
                 * @description Goes before `since`; browsers send it.
                 * @example 120
                 */
                readonly "last-event-id"?: string | null;
            };
            readonly path: {
                /** @example 01980000-0000-7000-8000-000000000000 */
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Frames of events or of changes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": unknown;
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly estimate_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunRequest"];
            };
        };
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Estimate"];
                };
            };
            /** @description Bad Request */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            readonly 408: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly get_settings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SettingsPage"];
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            readonly 422: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly healthz: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alive"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Prometheus's text format. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            /** @description Unauthorized */
            readonly 401: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            readonly 403: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            readonly 404: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readonly readyz: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Successful Response */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description Request Entity Too Large */
            readonly 413: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Misdirected Request */
            readonly 421: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Internal Server Error */
            readonly 500: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A part is missing. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "parts": [
                     *         {
                     *           "detail": "database_unavailable",
                     *           "name": "log",
                     *           "ready": false
                     *         }
                     *       ],
                     *       "ready": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Ready"];
                };
            };
        };
    };
}
