import { expect, test } from "vitest";

import { archiveOf, axesOf, binOf } from "./archive";
import type { Score } from "./scores";

const AXIS = { name: "size", low: 0, high: 10, bins: 5 };

function score(sequence: number, total: number, descriptor: Record<string, number>): Score {
  return { candidateId: `c${sequence}`, total, components: {}, descriptor, estimated: [], absent: [], policy: "p", sequence };
}

test("a value outside the range belongs to the nearest bin", () => {
  expect([-3, 0, 1.9, 2, 9.9, 10, 99].map((value) => binOf(AXIS, value))).toEqual([0, 0, 0, 1, 4, 4, 4]);
});

test("a cell keeps its best score, the earlier one in a tie", () => {
  const cells = archiveOf([score(0, 1, { size: 1 }), score(1, 3, { size: 1.5 }), score(2, 3, { size: 0 }), score(3, 9, {})], [AXIS]);
  expect(cells.map(({ place, best, count }) => [place, best.candidateId, count])).toEqual([[[0], "c1", 3]]);
});

test("without axes, or without descriptors, there are no cells", () => {
  expect(archiveOf([score(0, 1, { size: 1 })], [])).toEqual([]);
  expect(axesOf([score(0, 1, {})])).toEqual([]);
});

test("an axis of a single value has one bin around it", () => {
  expect(axesOf([score(0, 1, { size: 4 })])).toEqual([{ name: "size", low: 3.5, high: 4.5, bins: 1 }]);
});
