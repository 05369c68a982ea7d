/**
 * Long use of a registry on SQLite: 20 clients push, pull, delete, list and read reports while images are scanned and garbage is
 * collected every two seconds, with grace periods of up to a minute instead of hours. The server's own memory must stay below 300 MB; its memory,
 * its open descriptors and its files on disk must not grow; and a blob whose existence was confirmed to a client must not be missing when the client pushes its manifest.
 *
 *     node --conditions=plimsoll-source benchmarks/soak.ts [MINUTES] [CLIENTS]
 *
 * The defaults are 15 minutes and 20 clients. The server is a separate process, whose id is printed. With `--heapsnapshot-signal=SIGUSR2`
 * before the path, it writes a heap snapshot into the working folder when it receives that signal.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RegistryTables } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";
import { sql } from "kysely";
import { loadTracker } from "../tests/support/scanner-service.ts";
import { seededRandom } from "../tests/support/seeded-random.ts";
import { type ServedRegistry, startRegistry } from "./lib/registry.ts";
import { SoakClient, type SoakTally } from "./lib/soak-client.ts";
import { soakGraceMs } from "./lib/soak-grace.ts";
import { soakAdvisories, soakBases } from "./lib/soak-images.ts";

/** What the server's process takes at one moment, in MB. */
interface Sample {
  readonly descriptors: number;
  /** The database with its log, and the blobs. */
  readonly disk: number;
  /** Its own memory, without mapped pages of the database, which belong to the page cache. */
  readonly own: number;
  readonly resident: number;
}

const mostOwnMegabytes = 300;
/** The maximum ratio of the means of the last two thirds. */
const mostGrowth = 1.1;
const collectEveryMs = 2_000;
const sampleEveryMs = 1_000;

const [minutes = 15, clients = 20] = process.argv.slice(2).map(Number);
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-soak-"));
try {
  const { samples, tally } = await soak();
  process.exitCode = report(samples, tally) ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true });
}

async function soak(): Promise<{ readonly samples: readonly Sample[]; readonly tally: SoakTally }> {
  const database = join(scratch, "plimsoll.db");
  await loadTracker(database, soakAdvisories);
  using registry = await startRegistry(scratch, database, "soaked");
  console.log(`${minutes} minutes, ${clients} clients, server ${registry.pid} (load ${loadavg()[0]?.toFixed(1)})`);
  const stop = AbortSignal.timeout(minutes * 60_000);
  const tally: SoakTally = { answers: new Map(), faults: [] };
  const random = seededRandom(1);
  const world = { registry, bases: await soakBases(), random, promisedMs: soakGraceMs.links / 2, tally };
  const samples: Sample[] = [];
  const working = Array.from({ length: clients }, (_, index) => new SoakClient(world, `client-${index}`).work(stop));
  await Promise.all([...working, collectOften(registry, stop), watch(registry, { samples, tally, stop })]);
  return { samples, tally };
}

/** Makes the jobs that collect garbage due repeatedly, and shortens the time for which the user's tags can be restored. */
async function collectOften({ database }: ServedRegistry, stop: AbortSignal): Promise<void> {
  await using store = await openStore<RegistryTables>(database, { migrations: [] });
  await store.db.updateTable("account").set({ tag_expiration_s: 1 }).execute();
  while (!stop.aborted) {
    await sql`update jobs set due_at = 0, turn = 0 where owner is null and is_dead = 0
      and kind in ('registry.collect-garbage', 'registry.delete-reports', 'registry.collect-expired')`.execute(
      store.db,
    );
    await delay(collectEveryMs);
  }
}

interface Watched {
  readonly samples: Sample[];
  readonly tally: SoakTally;
  readonly stop: AbortSignal;
}

async function watch(registry: ServedRegistry, { samples, tally, stop }: Watched): Promise<void> {
  for (let second = 0; !stop.aborted; second++) {
    const disk = second % 30 === 0 ? diskUse(scratch) : (samples.at(-1)?.disk ?? 0);
    const sample = { ...readMemory(registry.pid), descriptors: readdirSync(`/proc/${registry.pid}/fd`).length, disk };
    samples.push(sample);
    if (second % 30 === 0) {
      const requests = [...tally.answers.values()].reduce((sum, count) => sum + count, 0);
      const memory = `own ${sample.own.toFixed(0)} MB, resident ${sample.resident.toFixed(0)} MB`;
      const figures = `${memory}, ${sample.descriptors} descriptors, ${sample.disk.toFixed(0)} MB on disk`;
      console.log(`${second} s: ${figures}, ${requests} answers, ${tally.faults.length} faults`);
    }
    await delay(sampleEveryMs);
  }
}

/** Reads the resident memory of a process from Linux, and the part that is not mapped from files. */
function readMemory(pid: number): Pick<Sample, "own" | "resident"> {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
  return { own: megabytes("RssAnon"), resident: megabytes("VmRSS") };
}

/** The size of the files in a folder, in MB. Files may go while they are counted. */
function diskUse(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size);
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0) / 1e6;
}

/** @returns whether all requirements were met */
function report(samples: readonly Sample[], { answers, faults }: SoakTally): boolean {
  for (const [what, count] of [...answers].sort()) console.log(`${what}: ${count}`);
  for (const fault of new Set(faults.slice(0, 20))) console.log(`FAULT ${fault}`);
  const growths = (["own", "descriptors", "disk"] as const).map((what) => growthOf(samples, what));
  console.log(`${faults.length} faults (load ${loadavg()[0]?.toFixed(1)})`);
  const mostOwn = Math.max(...samples.map(({ own }) => own));
  return mostOwn <= mostOwnMegabytes && growths.every((growth) => growth <= mostGrowth) && faults.length === 0;
}

/** How many times the mean of the second third of the run the mean of the last third is. Caches fill during the first third. */
function growthOf(samples: readonly Sample[], what: keyof Sample): number {
  const values = samples.map((sample) => sample[what]);
  const third = Math.ceil(values.length / 3);
  const [first, second, last] = [0, 1, 2].map((part) => mean(values.slice(part * third, (part + 1) * third)));
  const means = [first, second, last].map((each) => each?.toFixed(0)).join(", ");
  const growth = (last ?? 0) / (second ?? 1);
  console.log(
    `${what}: at most ${Math.max(...values).toFixed(0)}, means of the thirds ${means}, grows by ${growth.toFixed(2)}`,
  );
  return growth;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
