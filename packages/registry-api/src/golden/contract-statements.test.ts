import { fullTestArrivals, memoryTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import type { Asking } from "./fixtures/ask-statements.ts";
import { contractStatements } from "./fixtures/contract-statements.ts";
import { openWorld } from "./fixtures/world.ts";

describe("contractStatements", () => {
  describe.each(fullTestArrivals())("over $title", (arrival) => {
    let asking: Asking;

    beforeAll(async () => {
      const world = await openWorld(memoryTestEngine);
      world.rehearsal.on = true; // each statement is about the world as it was
      world.registry.sender.arrival = arrival;
      asking = { world, as: (caller) => world.registry.session(world.accounts[caller]) };
    });
    afterAll(() => asking.world.registry[Symbol.asyncDispose]());

    it.each(contractStatements)("hold at line $line: $says", async ({ check }) => {
      await check(asking);
    });
  });

  it("are true of every 201: it has a body", () => {
    const bare = registryOperations.filter(({ success, result }) => success === 201 && result === undefined);

    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});
