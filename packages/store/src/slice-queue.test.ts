import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { nextShortRead, nextSlice } from "./slice-queue.ts";

describe.each([
  ["nextSlice", nextSlice],
  ["nextShortRead", nextShortRead],
])("%s", (_, next) => {
  it("lets one piece of work run in each turn of the event loop, in their order", async () => {
    const ran: string[] = [];
    const work = async (name: string) => {
      for (let slice = 0; slice < 2; slice++) {
        await next();
        ran.push(name);
      }
    };
    const all = Promise.all(["a", "b", "c"].map(work));
    const seen: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      await nextTurn();
      seen.push(ran.length);
    }
    await all;

    expect(ran).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(seen.every((count, turn) => count <= turn + 1)).toBe(true);
  });
});
