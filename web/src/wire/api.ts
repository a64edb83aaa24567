/** The API routes by name. A run is read in the same way from the server and from an opened file. */

import { address, get, post, remove } from "./client";
import type { CallOptions, Params, WriteOptions } from "./client";
import type {
  CandidateDetail,
  CandidateList,
  CapsConfig,
  CommandKind,
  CommandTaken,
  DomainInfo,
  Estimate,
  EventPage,
  FinalProof,
  Health,
  History,
  Launched,
  OpenedFile,
  Resumed,
  RunDetail,
  RunList,
  RunRequest,
} from "./types";

const piece = encodeURIComponent;

/** The API's base path for the server's own runs, or for an opened file with the id `file`. */
export function base(file: string | null = null): string {
  return file === null ? "/api" : `/api/files/${piece(file)}`;
}

/** The path of a run's page. */
export function pagePath(runId: string, file: string | null = null): string {
  return file === null ? `/runs/${piece(runId)}` : `/files/${piece(file)}/runs/${piece(runId)}`;
}

/** The file name for the export of a run. */
export function exportName(runId: string): string {
  return `${runId}.mendel`;
}

/** The API routes of one run. */
export class RunApi {
  readonly path: string;

  constructor(
    readonly runId: string,
    readonly file: string | null = null,
  ) {
    this.path = `${base(file)}/runs/${piece(runId)}`;
  }

  detail = (options?: CallOptions) => get<RunDetail>(this.path, options);
  history = (options?: CallOptions) => get<History>(`${this.path}/history`, options);
  health = (options?: CallOptions) => get<Health>(`${this.path}/health`, options);
  final = (options?: CallOptions) => get<FinalProof>(`${this.path}/final`, options);
  candidate = (id: string, options?: CallOptions) =>
    get<CandidateDetail>(`${this.path}/candidates/${piece(id)}`, options);
  candidates = (params: Params = {}, options: CallOptions = {}) =>
    get<CandidateList>(`${this.path}/candidates`, { ...options, params });
  events = (params: Params = {}, options: CallOptions = {}) =>
    get<EventPage>(`${this.path}/events`, { ...options, params });

  /** The path of the stream of changes after event `since`. */
  stream = (since: number) => address(`${this.path}/stream`, { form: "changes", since });
  /** The path of the log's download. */
  exportPath = () => `${this.path}/export`;

  command = (kind: CommandKind, reason?: string, options?: WriteOptions) =>
    post<CommandTaken>(`${this.path}/${kind}`, reason === undefined ? {} : { reason }, options);
  resume = (options?: WriteOptions) =>
    post<Resumed>(`${this.path}/resume`, {}, options);
}

export const api = {
  runs: (params: Params = {}, options: CallOptions = {}) => get<RunList>("/api/runs", { ...options, params }),
  launch: (request: RunRequest, options?: WriteOptions) => post<Launched>("/api/runs", request, options),
  estimate: (request: RunRequest, options?: WriteOptions) => post<Estimate>("/api/runs/estimate", request, options),
  caps: (options?: CallOptions) => get<CapsConfig>("/api/config/caps", options),
  domains: (options?: CallOptions) => get<DomainInfo[]>("/api/domains", options),
  open: (file: Blob, options?: WriteOptions) => post<OpenedFile>("/api/files", file, options),
  close: (file: string, options?: WriteOptions) => remove(base(file), options),
};
