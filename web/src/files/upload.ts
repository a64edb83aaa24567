/** Upload of an exported run to the server, with progress. */

import { newKey } from "../wire/client";
import { Problem, problemOf, unreachable } from "../wire/problem";
import { authorization } from "../wire/token";
import { withToken } from "../wire/tokenWanted";
import type { OpenedFile } from "../wire/types";

export interface Upload {
  readonly done: Promise<OpenedFile>;
  readonly abort: () => void;
}

/** Send a file; `progress` receives the share that has been sent. Rejects with `Problem`. */
export function upload(file: Blob, progress: (share: number) => void): Upload {
  const key = newKey();
  let request = new XMLHttpRequest();
  const send = () => {
    request = new XMLHttpRequest();
    return sent(request, file, key, progress);
  };
  return { done: withToken(send, "always"), abort: () => request.abort() };
}

function sent(request: XMLHttpRequest, file: Blob, key: string, progress: (share: number) => void): Promise<OpenedFile> {
  const done = new Promise<OpenedFile>((resolve, reject) => {
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => void answered(request).then(resolve, reject);
    request.onerror = () => reject(unreachable(new Error("the connection was lost during the upload")));
    request.onabort = () => reject(new Problem(0, "Not sent", "You cancelled the upload.", "aborted"));
  });
  request.open("POST", "/api/files");
  const headers = { "Content-Type": "application/x-ndjson", "Idempotency-Key": key, ...authorization() };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(file);
  return done;
}

async function answered(request: XMLHttpRequest): Promise<OpenedFile> {
  const { status, responseText, statusText } = request;
  if (status < 200 || status >= 300) throw await problemOf(new Response(responseText, { status, statusText }));
  return JSON.parse(responseText) as OpenedFile;
}
