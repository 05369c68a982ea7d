import { describe, expect, it } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Takes turns of which one is done at a time, and keeps the order in which they are done. */
function openQueue(waiting: number) {
  const takeTurn = createFairTurns({ atOnce: 1, waiting });
  const first = Promise.withResolvers<void>();
  const done: string[] = [];
  const ask = (address: string, account = "") =>
    takeTurn({ address, account }, async () => void done.push(`${address} ${account}`.trim())).catch(
      ({ code }) => code,
    );
  const blocker = takeTurn({ address: "192.0.2.1", account: "" }, () => first.promise);
  return { ask, done, go: () => first.resolve(), blocker };
}

describe("createFairTurns", () => {
  it.each([
    {
      what: "goes round between networks",
      asked: ["192.0.2.2", "192.0.2.2", "192.0.2.2", "192.0.2.3", "192.0.2.4"],
      order: ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.2", "192.0.2.2"],
    },
    {
      what: "goes round between the accounts of a network",
      asked: ["192.0.2.2 a", "192.0.2.2 a", "192.0.2.2 a", "192.0.2.2 b"],
      order: ["192.0.2.2 a", "192.0.2.2 b", "192.0.2.2 a", "192.0.2.2 a"],
    },
    {
      what: "takes the addresses of an IPv6 network as one",
      asked: ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.3"],
      order: ["2001:db8::1", "192.0.2.3", "2001:db8::2", "2001:db8::3"],
    },
  ])("$what", async ({ asked, order }) => {
    const { ask, done, go } = openQueue(10);

    const turns = asked.map((each) => ask(...(each.split(" ") as [string, string?])));
    go();
    await Promise.all(turns);

    expect(done).toEqual(order);
  });

  it("refuses the newest waiter of the network with the most waiters when the queue is full", async () => {
    const { ask, done, go } = openQueue(3);

    const turns = ["192.0.2.2 a", "192.0.2.2 b", "192.0.2.2 b", "192.0.2.3 c", "192.0.2.2 d"].map((each) =>
      ask(...(each.split(" ") as [string, string?])),
    );
    go();
    const answers = await Promise.all(turns);

    expect(answers.map((answer) => answer ?? "done")).toEqual([
      "done",
      "done",
      "too_many_requests",
      "done",
      "too_many_requests",
    ]);
    expect(done).toEqual(["192.0.2.2 a", "192.0.2.3 c", "192.0.2.2 b"]);
  });

  it("starts the next work when one fails", async () => {
    const takeTurn = createFairTurns({ atOnce: 1, waiting: 1 });
    const claimant = { address: "192.0.2.2", account: "" };

    await expect(takeTurn(claimant, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");

    expect(await takeTurn(claimant, async () => "done")).toBe("done");
  });

  it("has room again after each turn", async () => {
    const { ask, go, blocker } = openQueue(1);
    const waiting = ask("192.0.2.2");
    go();
    await Promise.all([blocker, waiting]);

    expect(await Promise.all([ask("192.0.2.2"), ask("192.0.2.2")])).toEqual([undefined, undefined]);
  });
});
