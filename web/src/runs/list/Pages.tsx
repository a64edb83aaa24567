import { Button } from "../../parts";
import { useQuery } from "../../shell/router";
import { nextPage, PAGE_SIZE, previousPage } from "../filter";
import type { RunFilter } from "../filter";

interface PagesProps {
  filter: RunFilter;
  next: string | null;
  shown: number;
  total: number;
}

/** Buttons to the previous and the next page; renders nothing for a single page. */
export function Pages({ filter, next, shown, total }: PagesProps) {
  const { set } = useQuery();
  const before = filter.trail.length;
  if (next === null && before === 0) return null;
  const from = before * PAGE_SIZE;
  return (
    <nav className="row row-spread" aria-label="Pages of the list">
      <Button disabled={before === 0} onClick={() => set(previousPage(filter), { push: true })}>
        Previous
      </Button>
      <span className="muted" role="status">
        {from + 1} to {from + shown} of {total.toLocaleString("en")}
      </span>
      <Button disabled={next === null} onClick={() => next !== null && set(nextPage(filter, next), { push: true })}>
        Next
      </Button>
    </nav>
  );
}
