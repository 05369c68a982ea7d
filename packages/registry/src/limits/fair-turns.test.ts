import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claimant, createFairTurns, FairQueue } from "./fair-turns.ts";

/** A deadline that never comes. */
const deadline = () => new AbortController().signal;

/** Takes turns of which one is done at a time, and keeps the order in which they are done. */
function openQueue(waiting: number, limits = { atOnce: 1, deadline }) {
  const takeTurn = createFairTurns({ ...limits, waiting });
  const first = Promise.withResolvers<void>();
  const done: string[] = [];
  const claim = (claimant: Claimant) =>
    takeTurn(claimant, async () => void done.push(`${claimant.address} ${claimant.account}`.trim())).catch(
      ({ code }) => code,
    );
  const ask = (address: string, account = "") => claim({ address, account });
  const askKnown = (address: string, account: string) => claim({ address, account, isKnown: true });
  const blocker = takeTurn({ address: "192.0.2.1", account: "" }, () => first.promise);
  return { ask, askKnown, done, go: () => first.resolve(), blocker };
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
    {
      what: "takes the networks of a wider network as one",
      asked: ["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2::1", "2001:db9::1"],
      order: ["2001:db8:1:1::1", "2001:db9::1", "2001:db8:2::1", "2001:db8:1:2::1", "2001:db8:1:3::1"],
    },
    {
      what: "takes the addresses of an IPv4 network as one",
      asked: ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.3.1", "198.51.100.1"],
      order: ["192.0.2.2", "198.51.100.1", "192.0.3.1", "192.0.2.3", "192.0.2.4"],
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

  it.each([
    { what: "a /48", network: (n: number) => `2001:db8:1:${n.toString(16)}::1` },
    { what: "a /32", network: (n: number) => `2001:db8:${n.toString(16)}::1` },
    { what: "an IPv4 /16", network: (n: number) => `203.0.${n}.9` },
  ])("has room for other networks while all networks of $what ask", async ({ network }) => {
    const { ask, done, go } = openQueue(20);

    const crowd = Array.from({ length: 200 }, (_, n) => ask(network(n)));
    const others = Promise.all(["192.0.2.7", "2001:db9::1", "198.51.100.1"].map((address) => ask(address)));
    go();

    expect(await others).toEqual([undefined, undefined, undefined]);
    expect(done.length).toBeLessThan(10); // none of them waited for the crowd
    expect((await Promise.all(crowd)).filter((code) => code === "too_many_requests")).toHaveLength(183);
  });

  it("gives clients that are known every second turn, also in the network of the crowd", async () => {
    const { ask, askKnown, done, go } = openQueue(20);

    const crowd = Array.from({ length: 60 }, (_, n) => ask("192.0.2.2", `guessed-${n}`));
    const known = ["alice", "bob", "carol"].map((account) => askKnown("192.0.2.2", account));
    go();
    await Promise.all([...known, ...crowd]);

    expect(done.filter((each) => /alice|bob|carol/.test(each))).toHaveLength(3);
    expect(done.indexOf("192.0.2.2 carol")).toBeLessThan(6);
  });

  it("refuses a client that has waited until its deadline, and forgets it", async () => {
    const late = new AbortController();
    const { ask, askKnown, done, go } = openQueue(20, { atOnce: 1, deadline: () => late.signal });

    const waiting = [ask("192.0.2.2"), askKnown("192.0.2.3", "alice")];
    late.abort();

    expect(await Promise.all(waiting)).toEqual(["too_many_requests", "too_many_requests"]);
    go();
    await expect.poll(() => ask("192.0.2.4")).toBeUndefined();
    expect(done).toEqual(["192.0.2.4"]);
  });

  it("starts the next work when one fails", async () => {
    const takeTurn = createFairTurns({ atOnce: 1, waiting: 1, deadline });
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

/** Paths of three levels: few names, so that groups are shared. */
const path = tuple(constantFrom("a", "b"), constantFrom("c", "d", "e"), constantFrom("f", "g"));

function filled(paths: readonly (readonly string[])[]) {
  const queue = new FairQueue<string>();
  for (const [index, each] of paths.entries()) queue.add(each, `${each.join("/")} ${index}`);
  return queue;
}

const all = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take() ?? "");

describe("FairQueue", () => {
  it("gives each item once, those of an innermost group in their order", () => {
    assert(
      property(array(path), (paths) => {
        const taken = all(filled(paths));

        const expected = paths.map((each, index) => `${each.join("/")} ${index}`);
        expect(taken.toSorted()).toEqual(expected.toSorted());
        for (const group of new Set(paths.map((each) => each.join("/")))) {
          const isOf = (item: string) => item.startsWith(`${group} `);
          expect(taken.filter(isOf)).toEqual(expected.filter(isOf));
        }
      }),
    );
  });

  it("lets no group of a level wait for more than one item of each other group", () => {
    assert(
      property(array(path, { minLength: 1 }), (paths) => {
        const taken = all(filled(paths));

        const groups = new Set(paths.map(([widest]) => widest));
        const firsts = taken.slice(0, groups.size).map((item) => item.split("/")[0]);
        expect(new Set(firsts).size).toBe(groups.size);
      }),
    );
  });

  it("is as before after an item is removed", () => {
    assert(
      property(array(path, { minLength: 1 }), integer({ min: 0 }), (paths, at) => {
        const index = at % paths.length;
        const [removed = []] = [paths[index]];
        const queue = filled(paths);

        expect(queue.remove(removed, `${removed.join("/")} ${index}`)).toBe(true);
        expect(queue.remove(removed, `${removed.join("/")} ${index}`)).toBe(false);

        expect(queue.size).toBe(paths.length - 1);
        expect(all(queue)).toHaveLength(paths.length - 1);
        expect(queue.take()).toBeUndefined();
      }),
    );
  });

  it.each([
    {
      what: "the newest of the largest group",
      paths: ["a/c", "a/d", "a/d", "b/c"],
      preferred: "b/c",
      removed: "a/d 2",
    },
    { what: "along the preferred path among equals", paths: ["a/c", "b/c"], preferred: "a/c", removed: "a/c 0" },
    { what: "the newest group among equals", paths: ["a/c", "b/c"], preferred: "x/y", removed: "b/c 1" },
    {
      what: "in the wider group that is larger, although its parts are small",
      paths: ["a/c", "a/d", "a/e", "b/c", "b/c"],
      preferred: "b/c",
      removed: "a/e 2",
    },
  ])("removes $what", ({ paths, preferred, removed }) => {
    const queue = filled(paths.map((each) => each.split("/")));

    expect(queue.removeMostCrowded(preferred.split("/"))).toBe(removed);
    expect(queue.size).toBe(paths.length - 1);
  });
});
