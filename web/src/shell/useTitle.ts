import { useEffect } from "react";

import { plain } from "../parts/formatted";

const MOST = 120;

/** Set the document's title; a long one is truncated. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Mendel" : `${plain(title, MOST)} · Mendel`;
  }, [title]);
}
