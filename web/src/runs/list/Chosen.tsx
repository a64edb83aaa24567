import { Button, ButtonLink, Value } from "../../parts";
import { useQuery } from "../../shell/router";
import { chosenOf, comparePath, MOST_COMPARED } from "../filter";

/** The number of chosen runs, with a link to their comparison. */
export function Chosen() {
  const { params, set } = useQuery();
  const chosen = chosenOf(params.get("compare"));
  if (chosen.length === 0) return null;
  return (
    <div className="runs-chosen" role="region" aria-label="Chosen runs">
      <span role="status">
        <Value name="chosen" raw={chosen.length}>
          {chosen.length}
        </Value>{" "}
        chosen{chosen.length < 2 ? "; choose at least one more to compare" : ""}
        {chosen.length > MOST_COMPARED ? `; only the first ${MOST_COMPARED} are compared` : ""}
      </span>
      {chosen.length >= 2 && (
        <ButtonLink to={comparePath(chosen.slice(0, MOST_COMPARED))} kind="primary">
          Compare them
        </ButtonLink>
      )}
      <Button kind="quiet" onClick={() => set({ compare: null })}>
        Clear the choice
      </Button>
    </div>
  );
}
