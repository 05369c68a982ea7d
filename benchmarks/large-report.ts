/**
 * Stores, replaces and deletes the report of a large image: the longest transaction, the longest wait of another writer, and the longest
 * time for which the thread was blocked.
 *
 *     node --conditions=plimsoll-source benchmarks/large-report.ts [PACKAGES] [DATABASE]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEngine, dpkg, linux } from "@plimsoll/core";
import { type IndexerTables, indexerMigrations } from "@plimsoll/indexer";
import { openStore } from "@plimsoll/store";
import { longReport } from "../packages/indexer/src/fixtures/long-report.ts";
import { deleteManifest } from "../packages/indexer/src/store/manifests.ts";
import { putFinished } from "../packages/indexer/src/store/put-finished.ts";
import { beginRun } from "../packages/indexer/src/store/runs.ts";
import { formatReport } from "../packages/indexer/src/values/format-report.ts";
import { recordsToIndex } from "../packages/indexer/src/values/indexed-records.ts";
import { timed } from "./lib/held-thread.ts";

import { watchTransactions } from "./lib/watched-transactions.ts";

const [packages = "100000", database] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const engine = createEngine({ ecosystems: [linux, dpkg] });

try {
  const location = database ?? join(scratch, "large.db");
  await using opened = await openStore<IndexerTables>(location, { migrations: [indexerMigrations] });
  const { store, heldMs } = watchTransactions(opened);
  const { manifestDigest, report, records } = imageOf(Number(packages));
  const put = async () => {
    await beginRun(store, { id: "run", manifest: { digest: manifestDigest, layers: [] }, attempts: 1, at: 1 });
    const indexed = { manifestDigest, report, records, engineState: "state", layers: [], at: 1, run: "run" };
    await putFinished(store, { ...indexed, lock: "lock" });
  };
  const steps = {
    stored: put,
    "stored again": put,
    deleted: async () => void (await deleteManifest(store, manifestDigest)),
  };
  console.log(`${packages} packages: ${report.length} pieces of report, ${records.records.length} of records`);
  for (const [name, step] of Object.entries(steps)) {
    heldMs.length = 0;
    collectGarbage(); // remove the garbage of generating the report
    const others = writeBeside();
    const { tookMs, cpuMs, heldMs: thread } = await timed(step).finally(() => others.end());
    const waits = others.waits;
    const at = (part: number, of: readonly number[]) =>
      (of.toSorted((a, b) => a - b)[Math.floor((of.length - 1) * part)] ?? 0).toFixed(1);
    console.log(
      `${name}: ${tookMs.toFixed(0)} ms (CPU ${cpuMs.toFixed(0)}); ${heldMs.length} transactions, p99 ${at(0.99, heldMs)}, longest ${at(1, heldMs)} ms;` +
        ` another writer waited p99 ${at(0.99, waits)}, at most ${at(1, waits)} ms; the thread was held for ${thread.toFixed(1)} ms`,
    );
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);

  /** Runs small writes one after another until `end` is called, and measures each. */
  function writeBeside() {
    const waits: number[] = [];
    let isEnded = false;
    const ended = (async () => {
      while (!isEnded) {
        const begun = performance.now();
        await opened.relaxed.updateTable("indexer_run").set({ changed_at: 2 }).where("run", "=", "none").execute();
        waits.push(performance.now() - begun);
      }
    })();
    const end = async () => {
      isEnded = true;
      await ended;
    };
    return { waits, end };
  }
} finally {
  rmSync(scratch, { recursive: true });
}

function imageOf(count: number) {
  const report = longReport(count, "1");
  const { manifestDigest } = report;
  return { manifestDigest, report: formatReport(report), records: recordsToIndex(engine, report) };
}
