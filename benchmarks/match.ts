/**
 * Matching one image of 500 packages against 500,000 ranges, beside the least that SQLite can do for it: one `json_each`
 * join with `node:sqlite` and no code around. Cold runs are processes of their own, imports not counted.
 *
 *     node --conditions=plimsoll-source benchmarks/match.ts
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Advisory, dpkg, type FeedItem, type IndexRecord, type MatchKey } from "@plimsoll/core";
import { advisoriesOf, type MatcherTables, matcherMigrations, updateFeeds } from "@plimsoll/matcher";
import { openStore } from "@plimsoll/store";

const ranges = 500_000;
const names = 6_000;
const ecosystems = Array.from({ length: 10 }, (_, index) => `debian:${index + 5}`);
const packagesPerImage = 500;
const rounds = 41;
const processes = 7;

interface Measured {
  /** Without judging. */
  readonly coldLookupMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
  readonly rows: number;
  readonly affected: number;
  readonly peakMegabytes: number;
}

const random = seeded(20_261_121);

/** mulberry32: the same numbers in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function version(): string {
  const revision = random(3) === 0 ? `+deb12u${1 + random(9)}` : "";
  return `${random(10)}.${random(40)}.${random(40)}${random(5) === 0 ? "+dfsg" : ""}-${1 + random(9)}${revision}`;
}

/** Every twentieth package is like a kernel or a browser and has the rest of the advisories. */
function advisoriesOfName(name: number): number {
  const usual = 5 + (name % 5 === 0 ? 0 : 1);
  const usualTotal = names * 5.8 * 0.95;
  return name % 20 === 0 ? Math.round((ranges / ecosystems.length - usualTotal) / (names / 20)) : usual;
}

async function* items(): AsyncGenerator<FeedItem<Advisory>> {
  for (const ecosystem of ecosystems) {
    for (let name = 0; name < names; name++) {
      const packageName = `package-${name}`;
      for (let index = advisoriesOfName(name); index > 0; index--) {
        const cve = `CVE-${2005 + random(20)}-${1000 + name * 40 + index}`;
        const id = `debian/${cve}/${packageName}/${ecosystem.slice(7)}`;
        const fixed = random(5) === 0 ? {} : { fixed: version() };
        yield { kind: "item", item: advisory({ id, name: cve, ecosystem, packageName, ranges: [fixed] }) };
      }
    }
  }
}

function advisory(given: Pick<Advisory, "id" | "name" | "ecosystem" | "packageName" | "ranges">): Advisory {
  return {
    ...given,
    aliases: [],
    packageKind: "SOURCE",
    status: "affected",
    versions: [],
    updater: "benchmark",
    description: `What is wrong is described under ${given.name}.`,
    links: [`https://security-tracker.debian.org/tracker/${given.name}`],
    normalizedSeverity: "Unknown",
  };
}

async function build(path: string): Promise<void> {
  await using store = await openStore<MatcherTables>(path, { migrations: [matcherMigrations] });
  const [result] = await updateFeeds({
    store,
    updaters: [
      {
        name: "benchmark",
        location: "memory:",
        update: async () => ({ kind: "snapshot", fingerprint: "1", items: items() }),
      },
    ],
    feeds: () => ({ open: () => Promise.reject(new Error("no feeds here")), [Symbol.asyncDispose]: async () => {} }),
    clock: { now: () => 0 },
  });
  if (result?.kind !== "updated") throw new Error(`cannot build the database: ${JSON.stringify(result)}`);
}

/** An image of Debian 12 with 500 packages, all of them usual. */
function image(): readonly IndexRecord[] {
  const distribution = { id: "1", did: "debian", versionId: "12", name: "Debian GNU/Linux" };
  return Array.from({ length: packagesPerImage }, (_, index) => {
    const name = `package-${1 + index * 11 + Math.floor((index * 11) / 19)}`;
    const source = { id: `s${index}`, name, version: version(), kind: "SOURCE" } as const;
    const installed = { ...source, id: `${index}`, kind: "BINARY", arch: "amd64", source } as const;
    return { package: installed, packageDb: "var/lib/dpkg/status", distribution, repositories: [] };
  });
}

const matcher = dpkg.matchers[0];
if (matcher === undefined) throw new Error("the Debian matcher is gone");
const { keys: keysOf, judge } = matcher;

function keysOfImage(records: readonly IndexRecord[]): readonly MatchKey[] {
  return records.flatMap((record) => keysOf(record));
}

/** Look-up through the store, building the rules, judging every rule against its package. */
async function measurePlimsoll(path: string): Promise<Measured> {
  const records = image();
  const start = performance.now();
  await using store = await openStore<MatcherTables>(path, { migrations: [matcherMigrations] });
  const source = advisoriesOf(store);
  let lookedUpMs = 0;
  const match = async () => {
    const rules = await source.lookup(keysOfImage(records));
    lookedUpMs = performance.now() - start;
    const byName = Map.groupBy(rules, ({ packageName }) => packageName);
    let rows = 0;
    let affected = 0;
    for (const record of records) {
      for (const rule of byName.get(record.package.source?.name ?? "") ?? []) {
        rows++;
        if (judge(record, rule).kind === "affected") affected++;
      }
    }
    return { rows, affected };
  };
  const counts = await match();
  const coldMs = performance.now() - start;
  const coldLookupMs = lookedUpMs;
  return { ...counts, coldLookupMs, coldMs, warmMs: await medianOf(match), peakMegabytes: peakMegabytes() };
}

/** The same rows as arrays, and nothing else. */
async function measureReference(path: string): Promise<Measured> {
  const keys = JSON.stringify(keysOfImage(image()).map(({ ecosystem, name }) => [ecosystem, name]));
  const start = performance.now();
  const db = new DatabaseSync(path, { readOnly: true });
  db.exec("pragma mmap_size = 1073741824");
  const statement = db.prepare(`select a.advisory_id, a.name, a.fixed from json_each(?) k
    cross join advisory a on a.ecosystem = k.value ->> 0 and a.package_name = k.value ->> 1 where a.valid_to is null`);
  statement.setReturnArrays(true);
  const rows = statement.all(keys).length;
  const coldMs = performance.now() - start;
  return {
    rows,
    affected: 0,
    coldLookupMs: coldMs,
    coldMs,
    warmMs: await medianOf(async () => statement.all(keys)),
    peakMegabytes: peakMegabytes(),
  };
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function peakMegabytes(): number {
  return process.resourceUsage().maxRSS / 1000;
}

async function inProcess(what: "plimsoll" | "reference", path: string): Promise<Measured> {
  const child = fork(import.meta.filename, [what, path], { execArgv: ["--conditions=plimsoll-source"] });
  const [measured] = await once(child, "message");
  return measured as Measured;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
  try {
    const path = join(folder, "advisories.sqlite");
    const start = performance.now();
    await build(path);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `built ${ranges} ranges in ${seconds} s, ${(statSync(path).size / 1e6).toFixed(0)} MB, ${peakMegabytes().toFixed(0)} MB RSS`,
    );
    const ours: Measured[] = [];
    const reference: Measured[] = [];
    for (let index = 0; index < processes; index++) {
      reference.push(await inProcess("reference", path));
      ours.push(await inProcess("plimsoll", path));
    }
    const rows = ours[0]?.rows;
    console.log(
      `${packagesPerImage} packages, ${rows} candidate rows, ${ours[0]?.affected} affected; medians of ${processes} processes`,
    );
    report("cold: open, look up", ours, reference, ({ coldLookupMs }) => coldLookupMs);
    report("cold: open, look up, judge", ours, reference, ({ coldMs }) => coldMs);
    report("warm: look up, judge", ours, reference, ({ warmMs }) => warmMs);
    report("peak RSS (MB)", ours, reference, (measured) => measured.peakMegabytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(
  what: string,
  ours: readonly Measured[],
  reference: readonly Measured[],
  pick: (each: Measured) => number,
): void {
  const [mine, theirs] = [median(ours.map(pick)), median(reference.map(pick))];
  const figures = [mine.toFixed(2), theirs.toFixed(2), (mine / theirs).toFixed(2)].map((figure) => figure.padStart(9));
  console.log(`${what.padEnd(28)} plimsoll ${figures[0]}  raw json_each ${figures[1]}  ratio ${figures[2]}`);
}

const [what, path = ""] = process.argv.slice(2);
if (what === "plimsoll") process.send?.(await measurePlimsoll(path));
else if (what === "reference") process.send?.(await measureReference(path));
else await main();
