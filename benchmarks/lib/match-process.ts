/** Matches one image in a separate process: `plimsoll|reference|least DATABASE`. Prints the cost as JSON. */
import { DatabaseSync } from "node:sqlite";
import { dpkg } from "@plimsoll/core";
import { advisoriesOf, type MatcherTables, matcherMigrations } from "@plimsoll/matcher";
import { openStore } from "@plimsoll/store";
import { dpkgVersions } from "../../packages/core/src/ecosystems/dpkg/version.ts";
import { lookupKeys } from "../../packages/core/src/match/lookup-keys.ts";
import { matchRecords } from "../../packages/core/src/match/match-records.ts";
import { prepareRawJoin } from "./advisory-database.ts";
import { median } from "./measure.ts";
import { imageOfPackages } from "./synthetic-advisories.ts";

/** The measurements of one process. */
export interface Measured {
  /** The time from opening the database to having the rules of the first image. */
  readonly coldLookupMs: number;
  /** The same, including judging the rules. */
  readonly coldMs: number;
  /** Median of the images after the first one. */
  readonly warmLookupMs: number;
  readonly warmMs: number;
  readonly rows: number;
  readonly affected: number;
  /** Resident memory after all rounds. */
  readonly megabytes: number;
}

const rounds = 41;
const matchers = dpkg.matchers.slice(0, 1);

/** The steps of a report: the keys of the packages, one look-up, judging every rule, and settling verdicts. */
async function measurePlimsoll(path: string): Promise<Measured> {
  const records = imageOfPackages();
  const openedAt = performance.now();
  await using store = await openStore<MatcherTables>(path, { migrations: [matcherMigrations] });
  const source = advisoriesOf(store);
  const match = async (startedAt: number) => {
    const rules = await source.lookup(lookupKeys(matchers, records).keys);
    const lookupMs = performance.now() - startedAt;
    const { affected } = matchRecords(matchers, { records, advisories: rules });
    return { lookupMs, totalMs: performance.now() - startedAt, rows: rules.length, affected: affected.length };
  };
  const cold = await match(openedAt);
  return summarize(cold, await repeat(() => match(performance.now())));
}

/** Only reads the same rows, as arrays. */
async function measureReference(path: string): Promise<Measured> {
  const keys = JSON.stringify(
    lookupKeys(matchers, imageOfPackages()).keys.map(({ ecosystem, name }) => [ecosystem, name]),
  );
  const openedAt = performance.now();
  const db = new DatabaseSync(path, { readOnly: true });
  const join = prepareRawJoin(db);
  const read = async (startedAt: number) => {
    const rows = join(keys).length;
    const totalMs = performance.now() - startedAt;
    return { lookupMs: totalMs, totalMs, rows, affected: 0 };
  };
  const cold = await read(openedAt);
  return summarize(cold, await repeat(() => read(performance.now())));
}

/** Also parses each fixed version and compares it with the installed one: the minimum for matching in JavaScript. */
async function measureLeast(path: string): Promise<Measured> {
  const records = imageOfPackages();
  const keys = JSON.stringify(lookupKeys(matchers, records).keys.map(({ ecosystem, name }) => [ecosystem, name]));
  const openedAt = performance.now();
  const db = new DatabaseSync(path, { readOnly: true });
  const join = prepareRawJoin(db);
  const match = async (startedAt: number) => {
    const rows = join(keys);
    const lookupMs = performance.now() - startedAt;
    const installed = new Map(records.map(({ package: { name, version } }) => [name, dpkgVersions.parse(version)]));
    let affected = 0;
    for (const [id, , fixed] of rows) {
      const version = installed.get(String(id).split("/", 3)[2] ?? "");
      if (version === undefined) throw new Error(`no package of ${id} is installed`);
      const isAffected = fixed === null || dpkgVersions.compare(version, dpkgVersions.parse(String(fixed))) < 0;
      if (isAffected) affected += 1;
    }
    return { lookupMs, totalMs: performance.now() - startedAt, rows: rows.length, affected };
  };
  const cold = await match(openedAt);
  return summarize(cold, await repeat(() => match(performance.now())));
}

interface Round {
  readonly lookupMs: number;
  readonly totalMs: number;
  readonly rows: number;
  readonly affected: number;
}

async function repeat(work: () => Promise<Round>): Promise<readonly Round[]> {
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) done.push(await work());
  return done;
}

function summarize({ lookupMs, totalMs, rows, affected }: Round, warm: readonly Round[]): Measured {
  return {
    coldLookupMs: lookupMs,
    coldMs: totalMs,
    warmLookupMs: median(warm.map((round) => round.lookupMs)),
    warmMs: median(warm.map((round) => round.totalMs)),
    rows,
    affected,
    megabytes: process.memoryUsage.rss() / 1e6,
  };
}

const contestants = { plimsoll: measurePlimsoll, reference: measureReference, least: measureLeast } as const;
const [what = "plimsoll", path = ""] = process.argv.slice(2);
console.log(JSON.stringify(await contestants[what as keyof typeof contestants](path)));
