/**
 * Matches 100,000 images again after a feed update that changed 10,000 advisories. The service polls, compares, uses the reverse index
 * and stores a notification set. For comparison, brute force matches every image before and after and compares the reports (only look-up
 * and verdicts, nothing is stored). The results must be equal. Polling runs in a separate process, so that its memory can be measured.
 *
 *     node --conditions=plimsoll-source benchmarks/rematch.ts [IMAGES [CHANGED]]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { pollOnce } from "./lib/poll.ts";
import {
  differences,
  indexImages,
  loadFeeds,
  matchEveryImage,
  openRematchStore,
  storedDifferences,
} from "./lib/rematch.ts";
import type { Polled } from "./lib/rematch-process.ts";

const [manifests = 100_000, changed = 10_000] = process.argv.slice(2).map(Number);
const world = { manifests, sources: 40_000, perSource: 3, changed };
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const database = join(scratch, "scanner.sqlite");

try {
  await using store = await openRematchStore(database);
  await timed("index the images", () => indexImages(store, world));
  await timed("load the feeds", () => loadFeeds(store, world, "before"));
  await pollOnce(store, "full");
  const before = await timed("brute force before", () => matchEveryImage(store, world, "before"));
  await timed("update the feed", () => loadFeeds(store, world, "after"));
  const ours = poll();
  const after = await timed("brute force after", () => matchEveryImage(store, world, "after"));
  const bruteSeconds = before.seconds + after.seconds;
  const { atRest, peak, peakWithFile } = ours.megabytes;
  console.log(
    `${manifests} images, ${changed} changed advisories: ${ours.notifications} notifications in ${ours.seconds.toFixed(1)} s, ` +
      `brute force ${bruteSeconds.toFixed(1)} s, ratio ${(ours.seconds / bruteSeconds).toFixed(2)}, ` +
      `peak ${peakWithFile.toFixed(0)} MB RSS, ${peak.toFixed(0)} MB without the mapped file (${atRest.toFixed(0)} MB at rest)`,
  );
  const expected = differences(world, before.value, after.value);
  const isEqual = isDeepStrictEqual(await storedDifferences(store), expected);
  console.log(isEqual ? "equal to brute force" : "NOT equal to brute force");
  if (!isEqual) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}

function poll(): Polled {
  const program = join(import.meta.dirname, "lib", "rematch-process.ts");
  return JSON.parse(execFileSync(process.execPath, [...process.execArgv, program, database], { encoding: "utf8" }));
}

async function timed<T>(
  what: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly seconds: number }> {
  const start = performance.now();
  const value = await work();
  const seconds = (performance.now() - start) / 1000;
  console.log(`${what}: ${seconds.toFixed(1)} s`);
  return { value, seconds };
}
