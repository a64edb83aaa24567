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
         * @description Get the caps of a run that sets none, and the ceilings that no run may exceed.
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
         * @description Get the results of the last check; probes nothing.
         */
        readonly get: operations["get_doctor"];
        readonly put?: never;
        /**
         * Probe
         * @description Check this machine now, and keep the results. Takes a few seconds.
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
         * @description List the installed domains; `inputs` of a run must fit the schema of its domain's form, as the examples do.
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
         * @description List the open files.
         */
        readonly get: operations["list_files"];
        readonly put?: never;
        /**
         * Open File
         * @description Open an exported run: the whole file is read, every hash is checked, and the run stays in memory until closed.
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
         * @description Close a file and discard its run.
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
         * @description Get a run and its configuration. The ETag also depends on `conducted`, which changes without an event.
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
         * @description List the candidates of a run, page by page.
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
         * @description Get a candidate: source, differences from its parents, evidence, verdicts, model calls, and explanation.
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
         * @description List the events after a sequence number, in order.
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
         * @description Export the run as one file for `mendel log import` or the page's `/open`; it is checked while written.
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
         * @description Get the winner with the verdict that adopted it and the audit afterwards, or a statement that there is none.
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
         * @description Get the health of the run. The ETag also depends on `conducted`, which changes without an event.
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
         * @description Get all rows of a run as columns, enough to show the run live or as of any event.
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
         * @description Get the lineage: genomes, their ancestry, and the findings about them.
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
         * @description Get the slots, caps and domain parameters in force.
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
         * @description Get the expected result of a replay. Nothing is replayed here; use `mendel replay`.
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
         * @description List the reports that `mendel guard` keeps here, and the gate's verdicts in all runs.
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
         * @description Get a decision of the gate with all its evidence; a report from `mendel guard` also has both programs.
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
         * @description Get the routes of each role, with prices; for keys, only whether they are set. No model is called.
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
         * @description Get model calls and their cost over all runs: by model and role, and per run.
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
         * @description List the installed plug-ins by extension point, without loading them.
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
         * @description List all runs, page by page.
         */
        readonly get: operations["list_runs"];
        readonly put?: never;
        /**
         * Launch Run
         * @description Start a run and conduct it here. Caps above their ceilings are refused, and nothing is recorded.
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
         * @description Get a run and its configuration. The ETag also depends on `conducted`, which changes without an event.
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
         * @description Cancel a run that is configured but has not started.
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
         * @description List the candidates of a run, page by page.
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
         * @description Get a candidate: source, differences from its parents, evidence, verdicts, model calls, and explanation.
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
         * @description List the events after a sequence number, in order.
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
         * @description Export the run as one file for `mendel log import` or the page's `/open`; it is checked while written.
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
         * @description Get the winner with the verdict that adopted it and the audit afterwards, or a statement that there is none.
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
         * @description Get the health of the run. The ETag also depends on `conducted`, which changes without an event.
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
         * @description Get all rows of a run as columns, enough to show the run live or as of any event.
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
         * @description Stop a run immediately and abandon operations in flight.
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
         * @description Get the lineage: genomes, their ancestry, and the findings about them.
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
         * @description Get the slots, caps and domain parameters in force.
         */
        readonly get: operations["get_parameters"];
        readonly put?: never;
        /**
         * Set Parameters
         * @description Change parameters of an unfinished run; its domain accepts or refuses its own parameters.
         *
         *     They apply from the event `command.accepted` with this `command_id`; a `command.refused` event gives the reason.
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
         * @description List the proposals to a run, with their outcomes.
         */
        readonly get: operations["list_proposals"];
        readonly put?: never;
        /**
         * Propose
         * @description Propose a candidate to a running run. `GET` on this path returns the domain's decision and its reason.
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
         * @description Get the expected result of a replay. Nothing is replayed here; use `mendel replay`.
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
         * @description Conduct an interrupted or unstarted run on this server; work that its log already holds is not repeated.
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
         * @description Stop a run gracefully: nothing new starts, operations in flight finish, and the summary is marked partial.
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
         * @description Stream all events after a sequence number, then new ones; `Last-Event-ID` resumes a broken connection.
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
         * @description Estimate the worst-case cost of a run. Records nothing, runs nothing, and needs no key.
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
         * @description List every setting with its value and origin, like `mendel config view`.
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
         * @description Check that the process is alive; depends on nothing else.
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
         * @description Get all metrics in Prometheus's text format.
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
         * @description Check whether requests can be served: log and read models respond, the disk has room, domain services work.
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
         * @description Originator of an event. A plug-in cannot add another one.
         * @enum {string}
         */
        readonly Actor: "operator" | "runtime" | "genome" | "critic" | "check_runner" | "judge" | "selection" | "gate";
        /**
         * AdoptionNote
         * @description The candidate became its niche's champion, was confirmed, or was revoked.
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
         * @description The process responds.
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
         * @description A genome of an earlier run with its material, so that the new run replays without the earlier one.
         *
         *     ``champion``: the gate adopted it, and it is the champion of ``niche`` (None is the first niche of the run); a niche
         *     has at most one. Any other ancestor was the fittest survivor of its niche. ``looks`` is its embedding, if recorded.
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
         * @description Behaviour archive: size limits evict the fittest candidate of a cell only if no other candidate is left.
         *
         *     ``grid`` has one cell per combination of bins. ``cvt`` (a centroidal Voronoi tessellation) has ``cells`` cells of
         *     about equal size.
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
         *     ``value``, ``low`` and ``high`` are paths within a row; ``label`` is the column that names the row. The scale
         *     ``ratio`` is logarithmic. A line is drawn at ``reference``.
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
         * @description Reference to bytes that are stored outside an event, by their hash.
         *
         *     In JSON the key of the hash is ``$blob``, so that every reference in a log can be found without knowing the model
         *     around it.
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
         * @description Limits of one attempt. The size of a prompt in bytes bounds its tokens: every token has at least one byte.
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
         * @description The expression of a genome, which is examined, scored and judged.
         *
         *     ``looks`` is the embedding of its content, if computed.
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
         * @description Everything that the log contains about one candidate.
         */
        readonly CandidateDetail: {
            /** Birth */
            readonly birth: number;
            /** Candidate Id */
            readonly candidate_id: string;
            /** @description The recorded content. */
            readonly content: components["schemas"]["DomainPayload"];
            /**
             * Energy
             * @description Total energy charged for the candidate.
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
             * @description The last event that this answer includes.
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
         * @description A page of candidates; ``next`` is the cursor of the next page.
         */
        readonly CandidatePage: {
            /** Candidates */
            readonly candidates: readonly components["schemas"]["CandidateRow"][];
            /** Next */
            readonly next: string | null;
            /**
             * Total
             * @description Number of candidates that match.
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
             * @description Why it was rejected or is invalid.
             */
            readonly reason: string | null;
            /**
             * Sequence
             * @description The event that created it.
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
         * @description State of a candidate, from created to selected; rejected, culled and invalid ones have dropped out.
         * @enum {string}
         */
        readonly CandidateStatus: "created" | "repairing" | "under_review" | "checked" | "scored" | "selected" | "rejected" | "culled" | "invalid";
        /**
         * Capabilities
         * @description Capabilities of a model.
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
         * @description The caps of a run; an omitted cap has its default, or the ceiling if that is lower.
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
         * @description The default caps of a run, and their ceilings.
         */
        readonly CapsView: {
            readonly ceilings: components["schemas"]["RunCaps"];
            readonly defaults: components["schemas"]["RunCaps"];
        };
        /**
         * CapUse
         * @description The used amount of a cap. The limit is None before the run is configured.
         */
        readonly CapUse: {
            /** Limit */
            readonly limit: number | null;
            /** Used */
            readonly used: number;
        };
        /**
         * Challenge
         * @description The number of a challenge in its niche, and its share ``alpha`` of the niche's error budget (rule 10).
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
         * @description The rows of a table, column by column; missing values are null.
         */
        readonly Columns: {
            /**
             * First
             * @description The event that created each row.
             */
            readonly first: readonly number[];
            /** Key */
            readonly key: readonly string[];
            /**
             * Last
             * @description The event that last changed each row.
             */
            readonly last: readonly number[];
            /** Values */
            readonly values: {
                readonly [key: string]: readonly components["schemas"]["JsonValue"][];
            };
        };
        /**
         * CommandBody
         * @description The reason for the command, which is recorded in the log.
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
         * @description A submitted command; ``already`` is true if an earlier request with this key submitted it.
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
         * @description Kind of a command.
         * @enum {string}
         */
        readonly CommandKind: "stop" | "kill" | "cancel" | "set_parameters" | "propose";
        /**
         * CommandRow
         * @description The outcome of a command; only a refusal has a reason.
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
         * @description Decision of the gate. ``undecided`` means that more data could lead to a decision.
         * @enum {string}
         */
        readonly Decision: "adopt" | "reject" | "undecided";
        /**
         * Descent
         * @description The origin of one genome. ``distance`` is 0 for the candidate's own genome, 1 for its parents.
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
         * @description One behaviour axis: the value ``name`` of a score's descriptor or components, from ``low`` to ``high``.
         *
         *     ``age`` is the depth of the lineage, unless a score has a value of this name. ``bins`` is the resolution in a grid.
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
         * @description The checks of this machine; ``at`` is null if none has been made yet.
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
         * @description One item of a domain's data, with the name of its model.
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
         * @description A domain, and the form for starting a run of it.
         */
        readonly DomainView: {
            readonly form: components["schemas"]["FormView"] | null;
            /** Launchable */
            readonly launchable: boolean;
            /** Name */
            readonly name: string;
            /**
             * Panels
             * @description Its panels on the pages of a run and of its proof.
             */
            readonly panels: readonly components["schemas"]["Panel"][];
            /**
             * Refusal
             * @description Why it cannot be launched here, and what to do.
             */
            readonly refusal: string | null;
            /**
             * Steps
             * @description Its words for its steps.
             */
            readonly steps: readonly components["schemas"]["StepWords"][];
            /** Title */
            readonly title: string;
            /** What */
            readonly what: string;
        };
        /**
         * EarlierChampion
         * @description A niche's champion from an earlier run; it remains champion until a run adopts a better one.
         */
        readonly EarlierChampion: {
            /** Candidate Id */
            readonly candidate_id: string;
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * EmbeddingDegraded
         * @description Why a whole batch has vectors of the fallback (``estimated``), or none (``absent``).
         *
         *     ``reason`` is a stable code: the reason of a failure, the code of an error, ``timeout``, or ``broken`` for an
         *     unexpected exception of an embedder. The message never contains a text or a key.
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
         * @description The complete vector of one text: a replay reads it and recomputes only cosines (rule 7).
         *
         *     ``embedder`` identifies everything that affects the numbers; vectors of different embedders are never compared.
         *     ``model_id`` is the model used. ``candidate_id`` is the candidate of the text, if any. ``vector`` stays packed text:
         *     a record is validated far more often than its numbers are read.
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
         * @description The price list. It is recorded with the run, so that a replay charges the same energy.
         *
         *     ``cpu_basis`` is the unit for computation in the sandbox: measured milliseconds, or counted opcodes if the objective
         *     is ``opcodes`` (a count is exactly repeatable, a time is not).
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
         * @description Energy charged, and energy reserved for operations in flight.
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
         * @description The events of one conductor, from its takeover to its last event.
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
         * @description The worst-case cost of a run, at which its caps end it.
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
         * @description An event as stored in the log.
         *
         *     ``sequence`` alone defines the order of a run's events. ``hash`` covers every other field; ``prev_hash`` is the hash
         *     of the previous event.
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
         * @description A page of events, in order; ``next`` is the ``since`` of the next page.
         */
        readonly EventPage: {
            /** Events */
            readonly events: readonly {
                /**
                 * Actor
                 * @description Originator of an event. A plug-in cannot add another one.
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
         * @description One operation on the candidate, with its recorded findings.
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
             * @description The event that ended it, or started it if it is in flight.
             */
            readonly event_id: string | null;
            readonly findings: components["schemas"]["DomainPayload"] | null;
            /**
             * Isolation
             * @description The weakest isolation tier that any part of it ran in.
             */
            readonly isolation: string | null;
            /** Kind */
            readonly kind: string | null;
            readonly lookups: components["schemas"]["Lookups"] | null;
            /**
             * Name
             * @description The alias of its event in streams; defaults to the step's name.
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
             * @description The domain's word for the step; defaults to the step's name.
             */
            readonly word: string;
        };
        /**
         * EvidenceRef
         * @description Reference to an event of the same log. ``uri`` and ``observation_id`` are labels for people and never fetched.
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
         * @description All facts about one candidate in the events through ``sequence_through``.
         *
         *     ``ancestors`` are in order of distance, each once; those of other runs appear only as ids of parents. ``weights``
         *     are those of the run's policy, if the score was computed with it.
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
         * @description One invalid field of a request.
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
         * @description A run opened from a file; its routes are under ``/api/files/{file_id}/runs/{run_id}``.
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
             * @description For example, that the run was exported before its end.
             */
            readonly warnings: readonly string[];
        };
        /**
         * FilePage
         * @description The open files, most recently used first.
         */
        readonly FilePage: {
            /** Files */
            readonly files: readonly components["schemas"]["FileOpened"][];
            /**
             * Most
             * @description Maximum size of a file, in bytes.
             */
            readonly most: number;
        };
        /**
         * FinalProof
         * @description The result of a run, and the proof of its winner, if it has one.
         */
        readonly FinalProof: {
            /** @description The winner's last audit, which is no part of selection. */
            readonly audit: components["schemas"]["EvidenceItem"] | null;
            /** @description If nothing was adopted: the candidate with the best score, without proof. */
            readonly best: components["schemas"]["CandidateDetail"] | null;
            /** Caps */
            readonly caps: readonly components["schemas"]["CapEnd"][];
            /**
             * Digest
             * @description The recorded outcome digest.
             */
            readonly digest: string | null;
            /**
             * Figures
             * @description Best fitness, cost, tokens and more.
             */
            readonly figures: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
            /** @description The comparison: the first founder that is not from an earlier run. */
            readonly founder: components["schemas"]["CandidateDetail"] | null;
            /**
             * Niches
             * @description The niches of the run in their order, each with its error budget.
             */
            readonly niches: readonly components["schemas"]["NicheProof"][];
            /** Over */
            readonly over: boolean;
            /**
             * Patch
             * @description Unified diff from the founder to the winner.
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
             * @description The result as proven by the log, in one sentence; with several niches, one per winner.
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
            /** @description The champion of the first niche that has one, adopted through the gate. */
            readonly winner: components["schemas"]["CandidateDetail"] | null;
        };
        /**
         * FitnessScore
         * @description A candidate's fitness with all its components.
         *
         *     ``absent`` names the components that are missing, ``estimated`` the estimated ones; neither is ever silently zero.
         *     ``descriptor`` has the candidate's position on the behaviour axes; it is not part of the total.
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
         * @description Example inputs that work.
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
         * @description A launch form: the JSON schema of its inputs, with examples.
         */
        readonly FormView: {
            /** Examples */
            readonly examples: readonly components["schemas"]["FormExample"][];
            /**
             * Part
             * @description The part of a RunRequest that the schema describes.
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
         * @description An interval of a verdict, and the bounds that its policy requires; null if a side has no requirement.
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
         * @description A verdict of the gate; ``verdict.challenge`` identifies the challenge and its share of the error budget.
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
         * @description A page of decisions, reports before verdicts of runs, newest first.
         */
        readonly GuardPage: {
            /**
             * Decisions
             * @description Number of each decision, over all matches of the filter.
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
         * @description A decision of the gate with all details.
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
             * @description The policy as sentences.
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
             * @description The task of a report, or the problem of a run.
             */
            readonly what: string;
        };
        /**
         * GuardRow
         * @description A decision of the gate in a list, from `mendel guard` (``report``) or from a run (``run``).
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
             * @description The task of a report, or the problem of a run.
             */
            readonly what: string;
        };
        /**
         * HeadlinePart
         * @description One large figure, followed by its label.
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
         * @description The current health of a run, and where it is conducted.
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
             * @description True if it should be active, but had no event for three heartbeats.
             */
            readonly stalled: boolean;
            readonly status: components["schemas"]["RunStatus"] | null;
        };
        /**
         * History
         * @description All rows of a run, which suffice to show it as of any of its events.
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
         * @description An estimate, its one-sided or two-sided confidence interval at level ``alpha``, and the method used.
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
         * @description Separate populations; after every ``interval`` births the best ``migrants`` of each join its neighbour.
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
         * @description The last event that the view covers.
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
         * @description The run that this request, or an earlier one with the same key, started.
         */
        readonly Launched: {
            /** Run Id */
            readonly run_id: string;
        };
        /**
         * LineageEdge
         * @description A relation between ``source`` and ``target``; the label of a ``parent_of`` is the operator.
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
         * @description One object of the run; ``data_ref`` is the id of the event that introduced it.
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
         * @description One interim analysis of a sequential test.
         */
        readonly Look: {
            readonly decision: components["schemas"]["Decision"];
            readonly interval: components["schemas"]["Interval"];
            /** N */
            readonly n: number;
        };
        /**
         * Lookups
         * @description Retrieved passages, calls of research tools, and reasons for degraded embeddings.
         *
         *     A replay reads them and makes no calls (rule 7). If they are too large for an event, ``blob`` has the same JSON.
         *     Vectors are stored elsewhere, in the record of the embedded item.
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
         * @description Comparison of candidate and baseline by one metric, over the same cases.
         *
         *     ``delta`` is candidate minus baseline, in the unit of the metric; for timings it is their ratio.
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
         * @description Summary statistics of a metric for the candidate or for the baseline.
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
         * @description One model call for the candidate or its genome.
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
         * @description The roles that a run may call, with their models. ``overridable`` lists the sources that a run may choose.
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
         * @description Provider and model that serve a role.
         */
        readonly ModelRoute: {
            /** Model Id */
            readonly model_id: string;
            /** Provider */
            readonly provider: string;
        };
        /**
         * ModelRoutes
         * @description The routes of every role, as in `mendel models list`.
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
         * @description The result of one niche of a run, and its error budget ``alpha`` for all challenges together (rule 10).
         *
         *     Earlier runs made ``before`` challenges; this run made ``challenges``, which spent ``spent`` of ``alpha``.
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
            /** @description The champion from an earlier run; it stands if this run adopts none. */
            readonly champion_before: components["schemas"]["EarlierChampion"] | null;
            /**
             * Champion Id
             * @description The candidate that this run adopted and did not revoke.
             */
            readonly champion_id: string | null;
            /** Niche */
            readonly niche: string;
            /**
             * Said
             * @description The result of the niche, in one sentence.
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
            /** @description The champion as text. */
            readonly text: components["schemas"]["SourceText"] | null;
        };
        /**
         * NicheStart
         * @description A further niche of a run, and the number of challenges in it before the run started.
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
         * @description An operation in flight: its latest marker has no completion yet.
         *
         *     ``word`` is its domain's word for the step; ``role`` distinguishes reviews from checks.
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
         *     ``generational`` waits for a whole generation. ``steady`` breeds as soon as a slot is free. With the order
         *     ``arrival`` the birth k uses all results so far, which is fastest; with ``birth`` it uses exactly the results of the
         *     births up to k - ``window``, so that the run does not depend on timing.
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
         *     ``generational`` waits for a whole generation. ``steady`` breeds as soon as a slot is free. With the order
         *     ``arrival`` the birth k uses all results so far, which is fastest; with ``birth`` it uses exactly the results of the
         *     births up to k - ``window``, so that the run does not depend on timing.
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
         * @description The parameters in force in a run; for a finished run, those at its end.
         *
         *     Slots and caps are null if the log does not begin with a configuration.
         */
        readonly Parameters: {
            /** @description The caps in force, as lowered by commands. */
            readonly caps: components["schemas"]["RunCaps"] | null;
            /** @description The domain's parameters; null if none were set. */
            readonly parameters: components["schemas"]["DomainPayload"] | null;
            /** Run Id */
            readonly run_id: string;
            /**
             * Since
             * @description The event since which the domain's parameters apply.
             */
            readonly since: number | null;
            /** Slots */
            readonly slots: number | null;
        };
        /**
         * ParametersBody
         * @description New parameters of an unfinished run; omitted ones stay unchanged.
         * @example {
         *       "domain": {
         *         "length": 0.1
         *       },
         *       "slots": 2
         *     }
         */
        readonly ParametersBody: {
            /** @description Lower caps; no request can raise a cap. */
            readonly caps?: components["schemas"]["CapsAsked"] | null;
            /**
             * Domain
             * @description In the form that the domain requires.
             */
            readonly domain?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Slots */
            readonly slots?: number | null;
        };
        /**
         * ParametersSent
         * @description Submitted parameters; ``already`` is true if an earlier request with this key submitted them.
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
         * @description A parent of a candidate. ``diff`` turns the parent's text into the candidate's.
         */
        readonly ParentDetail: {
            /** Birth */
            readonly birth: number | null;
            /**
             * Candidate Id
             * @description The parent's first candidate in this run, if any.
             */
            readonly candidate_id: string | null;
            /**
             * Diff
             * @description A unified diff; null if either text is missing.
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
         * @description A part that the server depends on.
         */
        readonly Part: {
            /**
             * Detail
             * @description The result of the check; never an address.
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
         * @description An untrusted piece of text and its source; ``uri`` is empty if it has no address.
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
         * @description Payload of one event type. A subclass sets ``type``, and the closed registry lists it.
         */
        readonly Payload: Record<string, never>;
        /**
         * PluginGroup
         * @description An extension point for plug-ins.
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
         * @description An installed plug-in, which is not loaded for the list.
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
             * @description Reference to its object, as `module:name`.
             */
            readonly value: string;
            /** Version */
            readonly version: string;
        };
        /**
         * Plugins
         * @description All plug-ins by extension point; extension points without plug-ins are included.
         */
        readonly Plugins: {
            /** Groups */
            readonly groups: readonly components["schemas"]["PluginGroup"][];
            /** Total */
            readonly total: number;
        };
        /**
         * Price
         * @description Price of a million tokens, in millionths of a US dollar.
         */
        readonly Price: {
            /** Input Microusd */
            readonly input_microusd: number;
            /** Output Microusd */
            readonly output_microusd: number;
        };
        /**
         * Probe
         * @description Diagnosis of one component of this machine: its status, and the remedy if it is not ok.
         *
         *     ``limited`` means usable, but not for every purpose. No field ever contains a secret.
         */
        readonly Probe: {
            /**
             * Detail
             * @description Result of the probe.
             */
            readonly detail: string;
            /**
             * Name
             * @description Name of the component; unique within one report.
             */
            readonly name: string;
            /**
             * Needed For
             * @description Capability that depends on the component.
             */
            readonly needed_for: string;
            /**
             * Remedy
             * @description How to fix it; present unless the status is ok.
             */
            readonly remedy: string | null;
            /**
             * Status
             * @description Whether the component can be used.
             * @enum {string}
             */
            readonly status: "ok" | "limited" | "missing";
        };
        /**
         * Problem
         * @description Why a request failed.
         */
        readonly Problem: {
            /**
             * Code
             * @description A stable code for programs.
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
             * @description The id in `X-Request-ID` and in the server's log.
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
         * @description A proposal and its outcome: ``waiting`` until the conductor has processed it.
         *
         *     ``reason`` explains a refusal; ``genome_id`` is the genome made from an accepted proposal.
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
         * @description A proposed candidate, which the run's domain accepts or refuses.
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
             * @description The proposal, in the form that the domain requires.
             */
            readonly content: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * Proposals
         * @description All proposals to a run, oldest first.
         */
        readonly Proposals: {
            /** Proposals */
            readonly proposals: readonly components["schemas"]["Proposal"][];
        };
        /**
         * Proposed
         * @description A submitted proposal; ``already`` is true if an earlier request with this key submitted it.
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
         * @description Inputs of a verdict.
         *
         *     For programs, the hashes cover the task and both sources. For recorded samples, they cover the question and the
         *     values of both sides, and ``samples`` refers to the samples in the log.
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
         * @description A provider: its address, and whether its key is set; never the key.
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
         * @description Whether the server can do its work, and the state of each part.
         */
        readonly Ready: {
            /** Parts */
            readonly parts: readonly components["schemas"]["Part"][];
            /** Ready */
            readonly ready: boolean;
        };
        /**
         * Reason
         * @description A reason: a stable code, and a message whose wording may change.
         */
        readonly Reason: {
            /** Code */
            readonly code: string;
            /** Message */
            readonly message: string;
        };
        /**
         * RelationComparison
         * @description Violations of a relation by candidate and baseline, with the corrected p-value of the candidate being worse.
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
         * @description The start of a repair, because the candidate was malformed.
         */
        readonly Repair: {
            /** Reason */
            readonly reason: string;
            /** Sequence */
            readonly sequence: number;
        };
        /**
         * Replay
         * @description The expected result of a replay, with the digests that the run recorded at its end.
         */
        readonly Replay: {
            /**
             * Command
             * @description The command that replays the run.
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
         * @description The expected result of a replay, with the digests in the run's last event.
         */
        readonly ReplayProof: {
            /**
             * Command
             * @description The command that replays the run.
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
         * @description Where the run is conducted now.
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
         * @description Result of a query, the best passages first; an empty result is valid.
         *
         *     ``provider`` is the source of the passages. With a ``failure`` the requested source failed: the passages are either
         *     ``fallback_sourced``, from the curated corpus, or there are none.
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
         * @description The models of a role. Several ``sources`` form an ensemble; the ``fallback`` is called once, after a failure.
         *
         *     ``sampling`` applies to parameters that a question does not set. ``fan_out`` sources are called concurrently, and
         *     the ``chooser`` selects the answer: the first accepted one in the order of the sources, or the most frequent one.
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
         * @description A model role and the routes that play it.
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
         * @description Price in US dollars per million tokens.
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
         * @description A route that plays a role; for its key, only the name of the variable and whether it is set.
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
         * @description Hard limits of one run. Money is in millionths of a US dollar, time in milliseconds.
         *
         *     One evaluation is one program run on one case.
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
         * @description Complete configuration of a run. Rubric and judge are not part of it: a run cannot choose them.
         *
         *     ``niche`` is the first niche of the run, whose champion and error budget it continues; ``niches`` are further ones.
         *     ``challenges_before`` and the champions among ``ancestors`` are the state of the niches when the run was recorded,
         *     taken from the log (rule 10). A run with ``never_challenges`` claims no niche. ``continues`` is the run whose
         *     settings and best survivors this run started from. ``follows`` is the previous chapter: an endless host consists of
         *     bounded runs in sequence, so that no log grows without limit; ``parameters`` are the domain's parameters at the end
         *     of that chapter. ``state_deadline_ms`` limits the time of a generation in one state. ``allow_weak_sandbox`` lets the
         *     run continue with missing isolation layers; its results can then never be adopted (rule 3). ``models`` are the
         *     models that the run may call, with their prices; None means no model calls.
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
         * @description A run with its configuration.
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
             * @description Adopted champions by niche.
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
             * @description How the log is damaged; most fields are then missing.
             */
            readonly damage: string | null;
            /** Domain */
            readonly domain: string | null;
            /**
             * Ended
             * @description The event that ended it.
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
             * @description The last event that this answer includes.
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
         * @description A page of runs; ``next`` is the cursor of the next page.
         */
        readonly RunPage: {
            /** Next */
            readonly next: string | null;
            /** Runs */
            readonly runs: readonly components["schemas"]["RunSummary"][];
            /**
             * Total
             * @description Number of runs that match the filter.
             */
            readonly total: number;
        };
        /**
         * RunRequest
         * @description A run to start, with ``inputs`` for the domain's form, or ``config`` for a domain without a form.
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
             * @description Inputs for the domain's launch form.
             */
            readonly inputs?: {
                readonly [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /**
             * Model Profile
             * @description `live` uses the models in the settings; `offline`, the default, calls no model.
             */
            readonly model_profile?: ("offline" | "live") | null;
            readonly pace?: components["schemas"]["Pace-Input"] | null;
            /**
             * Problem
             * @description A short description of the run.
             */
            readonly problem?: string | null;
            /**
             * Rng Seed
             * @description The random seed; if omitted, it is derived from the idempotency key.
             */
            readonly rng_seed?: number | null;
            /**
             * Selector
             * @description The method that chooses parents.
             */
            readonly selector?: string | null;
            /**
             * Slots
             * @description Maximum number of operations in flight.
             */
            readonly slots?: number | null;
        };
        /**
         * RunStatus
         * @description State of a run; it is terminal once completed, stopped, failed or cancelled.
         * @enum {string}
         */
        readonly RunStatus: "configured" | "running" | "completing" | "completed" | "stopping" | "stopped" | "failed" | "cancelled";
        /**
         * RunSummary
         * @description A run in a list. ``spark`` is the course of the best fitness: pairs of (candidates scored, fitness).
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
             * @description Adopted champions by niche.
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
             * @description How the log is damaged; most fields are then missing.
             */
            readonly damage: string | null;
            /** Domain */
            readonly domain: string | null;
            /**
             * Ended
             * @description The event that ended it.
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
             * @description The last event that this answer includes.
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
         * @description The recorded samples behind a verdict.
         *
         *     ``recorded`` is their number with repeats, ``operations`` lists the operations that recorded them, ``cases`` is the
         *     digest of the sorted case ids. ``sandboxed``: whether the judge assumed that the domain runs in a sandbox; the
         *     kernel refuses a verdict whose assumption differs from the domain's registration.
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
         * @description Sampling parameters of an answer. None leaves a parameter to the provider, and is recorded as None.
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
         * @description Isolation of the sandbox in which the observations were made.
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
         * @description Rules that combine components into a total. Breeding can neither see nor change them (rule 6).
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
         * @description An event of selection about the candidate or its genome; the filled fields depend on the type.
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
             * @description Its origin: a file, a variable, a flag, or `default`.
             */
            readonly source: string;
            /** Value */
            readonly value: string;
        };
        /**
         * SettingsPage
         * @description All settings of this process.
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
         * @description One labelled value, with its interval if it has one.
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
         * @description One of the compared programs, as sent to the sandbox.
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
         * @description A model that serves a role. ``name`` identifies it in an ensemble; without a ``price`` it is free.
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
         * @description One source file of a candidate.
         */
        readonly SourceFile: {
            /** Path */
            readonly path: string;
            /** Source */
            readonly source: string;
        };
        /**
         * SourceText
         * @description A candidate as text. ``source`` is the whole text; ``files`` are its files.
         */
        readonly SourceText: {
            /** Files */
            readonly files: readonly components["schemas"]["SourceFile"][];
            /**
             * Language
             * @description Language for syntax highlighting, such as python or json; else text.
             */
            readonly language: string;
            /** Source */
            readonly source: string;
        };
        /**
         * Spend
         * @description Model calls and their cost over all runs.
         */
        readonly Spend: {
            /** By Model */
            readonly by_model: readonly components["schemas"]["SpentBy"][];
            /** Next */
            readonly next: string | null;
            /**
             * Runs
             * @description Runs that called models, newest first.
             */
            readonly runs: readonly components["schemas"]["SpentInRun"][];
            readonly total: components["schemas"]["Spent"];
        };
        /**
         * Spent
         * @description Model calls and their usage; cost in millionths of a US dollar.
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
             * @description Total over all calls.
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
         * @description Usage of a model in a role.
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
             * @description Total over all calls.
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
         * @description Usage of models in a run.
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
             * @description Total over all calls.
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
         * @description One line: the text ``yes`` or ``no``, depending on a value.
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
         * @description One operation about the candidate. Its kind is unknown without its marker in the log.
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
         * @description Display names of one step.
         *
         *     ``word`` describes the running step, such as "checking". Without a ``role``, examinations and challenges are checks.
         *     ``started`` to ``degraded`` are aliases that projections and streams show for these phases, in addition to the event
         *     type in the log.
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
         * @description When a run is complete; the first condition that holds ends it. Unlike a cap, a stop condition is a success.
         *
         *     The run then breeds nothing more, but candidates with a score may still challenge. ``target`` is a fitness that a
         *     champion of this run must reach; ``stagnation`` is a number of births in a row without a better fitness.
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
         * @description A text or source, unchanged.
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
         * @description Log record of one tool call requested by a model, successful or not.
         *
         *     ``name`` and ``arguments`` are the model's texts, truncated to what can be recorded. ``text`` is the answer, or the
         *     reason why there is none; ``provider`` is empty if no request was sent.
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
         * @description Resources used by an operation. Money is in millionths of a US dollar.
         *
         *     One evaluation is one program run on one case. The sandbox port counts evaluations, whatever a handler reports.
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
         * @description Decision of the gate about one candidate.
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
         * @description A verdict of the gate on the candidate, or a change of its adoption.
         */
        readonly VerdictItem: {
            /**
             * Alpha
             * @description The part of the error budget that this challenge spent.
             */
            readonly alpha: number | null;
            readonly decision: components["schemas"]["Decision"] | null;
            /** Event Id */
            readonly event_id: string;
            /** Intervals */
            readonly intervals: readonly components["schemas"]["GateInterval"][];
            /**
             * K
             * @description The number of the challenge in its niche.
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
            /** @description In full: metrics, relations, violations and looks. */
            readonly verdict: components["schemas"]["Verdict"] | null;
            /**
             * What
             * @enum {string}
             */
            readonly what: "verdict" | "adopted" | "confirmed" | "revoked";
        };
        /**
         * Violation
         * @description One counterexample against the candidate or the baseline, with the data to reproduce it.
         *
         *     ``shrunk``: the case was reduced. ``arguments`` has its arguments in the form of ``value_json``, or None if they are
         *     too large to store.
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
                readonly "Idempotency-Key": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description A run exported by `mendel log export` or `GET /api/runs/{run_id}/export`. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                 * @description `next` from the previous page.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description Sort by order of birth, or by fitness, best first. */
                readonly sort?: "birth" | "fitness";
                /** @description Only candidates with this status. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                 * @description The last known event; only later events are returned.
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                 * @description `next` from the previous page.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @description Only this one. */
                readonly decision?: ("adopt" | "reject" | "undecided") | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description Only this source. */
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
                 * @description `next` from the previous page.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /**
                 * @description Maximum number of runs per page.
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
                 * @description `next` from the previous page.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /**
                 * @description Only runs of this domain, installed or not.
                 * @example programs
                 */
                readonly domain?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /**
                 * @description Words in the problem, or part of an id.
                 * @example sort
                 */
                readonly q?: string | null;
                readonly sort?: "newest" | "oldest" | "best" | "cost" | "events";
                /** @description Only runs with this status. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
                 * @description `next` from the previous page.
                 * @example 01980000-0000-7000-8000-000000000000
                 */
                readonly cursor?: string | null;
                /** @example 20 */
                readonly limit?: number;
                /** @description Sort by order of birth, or by fitness, best first. */
                readonly sort?: "birth" | "fitness";
                /** @description Only candidates with this status. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                 * @description The last known event; only later events are returned.
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
            /** @description Nothing has changed since the event in `If-None-Match`. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
                /** @description A text of your choice that identifies the change; a repeated request does not repeat the change. */
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
                    /** @description `true` for a repeated request. */
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
                 * @description Events as recorded, or the changes to the rows.
                 * @example changes
                 */
                readonly form?: "events" | "changes";
                /**
                 * @description The last known event; only later events are returned.
                 * @example 120
                 */
                readonly since?: number;
            };
            readonly header?: {
                /**
                 * @description Overrides `since`; browsers send it.
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
            /** @description A part is unavailable. */
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
