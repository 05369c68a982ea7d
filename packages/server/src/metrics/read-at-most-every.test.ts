import { expect, it } from "vitest";
import { readAtMostEvery } from "./read-at-most-every.ts";

it("readAtMostEvery reads once per interval, and again after a failure", async () => {
  let [time, reads, fails] = [0, 0, false];
  const read = readAtMostEvery(
    10,
    async () => {
      reads += 1;
      if (fails) throw new Error("no database");
      return reads;
    },
    () => time,
  );

  const first = [await read(), await read()];
  time = 10;
  fails = true;
  await expect(read()).rejects.toThrow("no database");
  fails = false;

  expect([...first, await read()]).toEqual([1, 1, 3]);
});
