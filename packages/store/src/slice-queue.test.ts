import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { nextShortRead, nextSlice, turnOfBody } from "./slice-queue.ts";

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

it("turnOfBody lets one long body be processed in each turn of the event loop", async () => {
  const ran: string[] = [];
  const process = async (name: string, bytes: number) => {
    await turnOfBody(bytes);
    ran.push(name);
  };
  const all = Promise.all(["a", "b", "c"].map((name) => process(name, 100_000)));
  await process("short", 1_000);
  const seen: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    seen.push(ran.length - 1);
  }
  await all;

  expect(ran).toEqual(["short", "a", "b", "c"]);
  expect(seen.every((count, turn) => count <= turn + 1)).toBe(true);
});
