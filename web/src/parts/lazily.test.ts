import { describe, expect, it } from "vitest";
import { PAGE_CHANGED, untilThere } from "./lazily";

const failing = (times: number) => () =>
  times-- > 0 ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve("here");

describe("a part that is loaded later", () => {
  it("is asked for until it is there, and less and less often", async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    expect(await untilThere(failing(6), { wait, reached: async () => false })).toBe("here");
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it("is asked for once where it comes at once", async () => {
    let asked = 0;
    await untilThere(async () => ++asked);
    expect(asked).toBe(1);
  });

  it("is given up where the server answers and does not have it", async () => {
    const answered = [false, false, true, false, true, true, true];
    const ways = { wait: async () => undefined, reached: async () => answered.shift() ?? true };
    await expect(untilThere(failing(99), ways)).rejects.toMatchObject({ code: PAGE_CHANGED });
    expect(answered).toHaveLength(1);
  });
});
