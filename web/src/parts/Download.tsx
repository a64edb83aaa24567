import { useState } from "react";
import type { MouseEvent, ReactNode } from "react";

import { fetchFile } from "../wire/client";
import { asProblem } from "../wire/problem";
import { token } from "../wire/token";

interface DownloadProps {
  path: string;
  /** The file name. */
  name: string;
  children: ReactNode;
}

/** A link to a file of the server. Browsers send no token with a link, so with a token the page fetches the file itself. */
export function Download({ path, name, children }: DownloadProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const follow = (event: MouseEvent) => {
    if (token() === null) return;
    event.preventDefault();
    setProblem(null);
    fetchFile(path).then(
      (file) => save(file, name),
      (error: unknown) => setProblem(asProblem(error).message),
    );
  };
  return (
    <>
      <a href={path} download={name} onClick={follow}>
        {children}
      </a>
      {problem !== null && <span role="alert"> {problem}</span>}
    </>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href)); // only after the click has started the download
}
