import { describe, expect, it } from "vitest";
import { createTurns } from "./take-turns.ts";

describe("createTurns", () => {
  it("lets so many work at once, and the next when one is done or has failed", async () => {
    const inTurn = createTurns({ atOnce: 2 });
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const works = gates.map(({ promise }, index) =>
      inTurn(() => {
        begun.push(index);
        return promise;
      }),
    );
    const ends = Promise.allSettled(works);

    expect(begun).toEqual([0, 1]);
    gates[1]?.reject(new Error("it failed"));
    await works[1]?.catch(() => {});
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    for (const { resolve } of gates) resolve();

    expect((await ends).map(({ status }) => status)).toEqual(["fulfilled", "rejected", ...Array(3).fill("fulfilled")]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(await inTurn(async () => "again")).toBe("again");
  });
});
