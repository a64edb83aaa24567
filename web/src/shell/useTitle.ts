import { useEffect } from "react";

/** Name the document while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Mendel" : `${title} · Mendel`;
  }, [title]);
}
