/** What the scanner's contract says beyond operations and statuses, line by line, over HTTP. */
import { arrivalOver, fullTestArrivals, transportsOf } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scannerStatements } from "./support/scanner-statements/all.ts";
import { openStatementsWorld, type StatementsWorld } from "./support/scanner-statements/world.ts";

/** Lengths as clients of each mostly give them: with HTTP/2, proxies leave them out. */
const arrivals = transportsOf(fullTestArrivals()).map((each) =>
  arrivalOver(each, each === "TLS with HTTP/2" ? "left out" : "given"),
);

describe.each(arrivals)("scannerStatements over $transport", (arrival) => {
  let world: StatementsWorld;
  beforeAll(async () => {
    world = await openStatementsWorld(arrival);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  it.each(scannerStatements)("hold at line $line: $description", async ({ check }) => {
    await check(world);
  });

  it("are in the order of the contract", () => {
    const lines = scannerStatements.map(({ line }) => line);

    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  });
});
