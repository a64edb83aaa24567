import { expect, test } from "vitest";

import { randomness } from "../../tests/random_run";
import { FrameParser } from "./sse";

const TEXT = [
  "id: 1\nevent: changes\ndata: {\"a\": 1}\n\n",
  ": still here\n\n",
  "data: one\r\ndata: two\r\n\r\n",
  "event: end\ndata:no space\n\n",
].join("");

const FRAMES = [
  { id: "1", event: "changes", data: '{"a": 1}' },
  { id: "1", event: "message", data: "one\ntwo" },
  { id: "1", event: "end", data: "no space" },
];

test.each([1, 2, 3, 4, 5])("frames are the same however the text is cut (seed %i)", (seed) => {
  const random = randomness(seed);
  const parser = new FrameParser();
  const found = [];
  let rest = TEXT;
  while (rest !== "") {
    const size = 1 + Math.floor(random() * 6);
    found.push(...parser.feed(rest.slice(0, size)));
    rest = rest.slice(size);
  }
  expect(found).toEqual(FRAMES);
});

test("incomplete frames are kept", () => {
  const parser = new FrameParser();
  expect(parser.feed("data: half")).toEqual([]);
  expect(parser.feed(" and half\n")).toEqual([]);
  expect(parser.feed("\n")).toEqual([{ id: null, event: "message", data: "half and half" }]);
});
