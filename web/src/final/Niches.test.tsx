import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Proof } from "../candidate/wire";
import { Niches } from "./Niches";

type Niche = Proof["niches"][number];

const NICHE: Niche = { niche: "hot", alpha: 0.05, spent: 0.01, challenges: 1, before: 0, champion_id: "candidate-4.0-a", champion_before: null, state: "confirmed", said: "Birth 4 was adopted.", text: { language: "text", source: "5 g\n", files: [] } };

test("each niche shows its result, with the text of its champion", () => {
  const none: Niche = { ...NICHE, niche: "iced", champion_id: null, state: "nothing", said: "Nothing was adopted.", text: null };
  const { container } = render(<Niches niches={[NICHE, none]} run="run-1" file={null} />);
  const said = [...container.querySelectorAll("[data-value=niche-said]")].map((each) => each.textContent);
  expect(said).toEqual(["Birth 4 was adopted.", "Nothing was adopted."]);
  expect(container.querySelectorAll("code, pre").length).toBeGreaterThan(0);
  expect(container.textContent).toContain("5 g");
  expect([...container.querySelectorAll("a")].map((each) => each.getAttribute("href"))).toEqual(["/runs/run-1?candidate=candidate-4.0-a"]);
});
