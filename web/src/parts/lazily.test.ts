import { describe, expect, it } from "vitest";
import { PAGE_CHANGED, untilThere } from "./lazily";

const failing = (times: number) => () =>
  times-- > 0 ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve("here");

describe("a part that is loaded on demand", () => {
  it("is retried until it loads, with growing waits", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    expect(await untilThere(failing(6), { wait, reached: async () => false })).toBe("here");
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it("is requested only once if it loads at once", async () => {
    let asked = 0;
    await untilThere(async () => ++asked);
    expect(asked).toBe(1);
  });

  it("fails if the server responds without it", async () => {
    const answered = [false, false, true, false, true, true, true];
    const ways = { wait: async () => undefined, reached: async () => answered.shift() ?? true };
    await expect(untilThere(failing(99), ways)).rejects.toMatchObject({ code: PAGE_CHANGED });
    expect(answered).toHaveLength(1);
  });
});
