import { describe, expect, it } from "vitest";
import { untilThere } from "./lazily";

describe("a part that is loaded later", () => {
  it("is asked for until it is there, and less and less often", async () => {
    const waits: number[] = [];
    let left = 6;
    const found = await untilThere(
      () => (left-- > 0 ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve("here")),
      async (ms) => void waits.push(ms),
    );
    expect(found).toBe("here");
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it("is asked for once where it comes at once", async () => {
    let asked = 0;
    await untilThere(async () => ++asked);
    expect(asked).toBe(1);
  });
});
