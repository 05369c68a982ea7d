/**
 * An update of a feed in which every advisory has changed, and its deletion: the length of their transactions, for which other writers
 * have to wait, and their total cost.
 *
 *     node --conditions=plimsoll-source benchmarks/feed-update.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Advisory } from "@plimsoll/core";
import type { FeedItem } from "@plimsoll/core/plugins";
import {
  deleteOperation,
  latestOperations,
  type MatcherStore,
  type MatcherTables,
  matcherMigrations,
  updateFeeds,
} from "@plimsoll/matcher";
import { openStore } from "@plimsoll/store";
import { keepHeapSmall } from "../packages/server/src/keep-heap-small.ts";
import { syntheticAdvisories } from "./lib/synthetic-advisories.ts";
import { watchTransactions } from "./lib/watched-transactions.ts";

const advisories = 200_000;
const promisedMs = 100;

async function* version(number: number): AsyncGenerator<FeedItem<Advisory>> {
  let left = advisories;
  for await (const entry of syntheticAdvisories()) {
    if (left-- === 0) return;
    if (entry.kind !== "item") continue;
    yield { kind: "item", item: { ...entry.item, description: `${entry.item.description} Revision ${number}.` } };
  }
}

async function update(store: MatcherStore, number: number): Promise<void> {
  const updater = {
    name: "benchmark",
    location: "memory:",
    update: async () => ({ kind: "snapshot" as const, fingerprint: `${number}`, items: version(number) }),
  };
  const feeds = () => ({
    open: () => Promise.reject(new Error("no feeds here")),
    [Symbol.asyncDispose]: async () => {},
  });
  const options = { store, feeds, clock: { now: () => number } };
  const [result] = await updateFeeds({ updaters: [updater], enrichers: [] }, options);
  if (result?.kind !== "updated") throw new Error(`the update failed: ${JSON.stringify(result)}`);
}

/** Does work and prints the length of its transactions. */
async function report(opened: MatcherStore, what: string, work: (store: MatcherStore) => Promise<void>): Promise<void> {
  const { store, heldMs, cpuMs } = watchTransactions<MatcherTables>(opened);
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  await work(store);
  const { user, system } = process.cpuUsage(cpu);
  const sorted = heldMs.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(
    `${advisories} advisories ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU; ` +
      `${heldMs.length} transactions, median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, in processor time ${Math.max(...cpuMs).toFixed(0)} ms (asked: ${promisedMs} ms); ` +
      `load ${loadavg()[0]?.toFixed(2)}`,
  );
}

keepHeapSmall(); // as the command does
const folder = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
try {
  await using opened = await openStore<MatcherTables>(join(folder, "a.sqlite"), { migrations: [matcherMigrations] });
  await update(opened, 1);
  await report(opened, "changed", (store) => update(store, 2));
  const [latest] = await latestOperations(opened);
  await report(opened, "taken back", async (store) => {
    if (!(await deleteOperation(store, latest?.ref ?? ""))) throw new Error("there is no operation");
  });
} finally {
  rmSync(folder, { recursive: true });
}
