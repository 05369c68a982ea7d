import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { turnOfBody } from "./long-bodies.ts";

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
