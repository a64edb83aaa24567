import { useEffect } from "react";

import { plain } from "../parts/formatted";

const MOST = 120;

/** Name the document while the component is shown; of a long name its beginning. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Mendel" : `${plain(title, MOST)} · Mendel`;
  }, [title]);
}
