import { describe, expect, it } from "vitest";
import { concatBytes, reusedJoin } from "./concat-bytes.ts";

const lists = [[], [[]], [[1, 2, 3]], [[1], [], [2, 3], [4, 5, 6, 7]], [Array(300).fill(9), [1]], [[7]]];

describe("reusedJoin", () => {
  it("joins as concatBytes does, whatever was joined before", () => {
    const join = reusedJoin();
    for (const list of lists) {
      const parts = list.map((bytes) => Uint8Array.from(bytes));
      expect([...join(parts)]).toEqual([...concatBytes(parts)]);
    }
  });

  it("takes no new memory for what fits", () => {
    const join = reusedJoin();
    const first = join([new Uint8Array(300)]);
    expect(join([new Uint8Array(200), new Uint8Array(100)]).buffer).toBe(first.buffer);
  });
});
