import { hash } from "node:crypto";
import { type Distribution, type PackageRepository, ScanError } from "@plimsoll/core";
import {
  eachVulnerabilitySummary,
  type MatchFacts,
  type MatchingEngine,
  recordsToJudge,
  type VulnerabilitySummary,
} from "@plimsoll/core/internal";
import type { Matcher } from "@plimsoll/core/plugins";
import type { Json } from "@plimsoll/core/report";
import { compareSeverity } from "@plimsoll/core/severity";
import type { AffectedBlock } from "./affected-block.ts";
import { ecosystemsOf, type NamedSummary, rulesOf } from "./judge-records.ts";
import { listBareReports, listRecords } from "./store/all-records.ts";
import { findManifests, findRecords, type StoredRecord } from "./store/reverse-index.ts";
import type { IndexerStore } from "./store/tables.ts";
import { stableJson } from "./values/index-record.ts";

/** `affected_manifests` of the scanner API. */
export interface AffectedManifestsJson {
  /** The submitted summaries by id. A summary without an id gets one that depends only on its content. */
  readonly vulnerabilities: Readonly<Record<string, Json>>;
  /** Ids by manifest digest, worst severity first. */
  readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>>;
}

/** Options of {@link findAffectedManifests}. */
interface AffectedOptions {
  readonly engine: MatchingEngine;
  readonly store: IndexerStore;
  /**
   * The facts that reports use besides advisories. Absent: every distribution counts as covered by a feed, and repositories have only the facts
   * of their images.
   */
  readonly facts?: MatchFacts;
  readonly signal?: AbortSignal;
  /** Called at intervals to let other work of the thread run, because a request may have many vulnerabilities. */
  readonly yieldToOthers?: () => Promise<unknown>;
}

/**
 * Finds the images that vulnerabilities apply to: it judges the package versions under the keys of the vulnerabilities, each once,
 * however many images have it. Summaries with the same `rule.group` are judged together, as in a report; each of the others is
 * judged alone.
 * @throws ScanError `malformed_summary`, `aborted`
 */
export async function findAffectedManifests(options: AffectedOptions, json: Json): Promise<AffectedManifestsJson> {
  const summaries = await parseSummaries(options, json);
  const ids = new Map<string, Set<string>>();
  for await (const block of affectedBlocks(options, summaries)) {
    for (const manifest of block.manifests) {
      const known = ids.get(manifest) ?? new Set();
      ids.set(manifest, known);
      for (const id of block.ids) known.add(id);
    }
  }
  const severityOf = (id: string) => summaries.get(id)?.normalizedSeverity ?? "Unknown";
  const worstFirst = (a: string, b: string) => compareSeverity(severityOf(b), severityOf(a)) || (a < b ? -1 : 1);
  const manifests = [...ids].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    vulnerabilities: Object.fromEntries([...summaries].map(([id, summary]) => [id, { ...summary.json, id }])),
    vulnerable_manifests: Object.fromEntries(manifests.map(([digest, found]) => [digest, [...found].sort(worstFirst)])),
  };
}

/**
 * As {@link findAffectedManifests}, in blocks as they are found. Its memory use does not depend on the number of images. A pair of
 * vulnerability and image may occur twice, because two packages of the image may have the vulnerability.
 * @throws ScanError `malformed_summary`, `aborted` when iterated
 */
export async function* listAffectedManifests(options: AffectedOptions, json: Json): AsyncGenerator<AffectedBlock> {
  yield* affectedBlocks(options, await parseSummaries(options, json));
}

type Summaries = ReadonlyMap<string, NamedSummary>;

/** How many summaries are processed without a pause, in some ten milliseconds. */
const perSlice = 200;

async function parseSummaries({ yieldToOthers }: AffectedOptions, json: Json): Promise<Summaries> {
  const summaries = new Map<string, NamedSummary>();
  let count = 0;
  for (const summary of eachVulnerabilitySummary(json)) {
    const id = idOf(summary);
    summaries.set(id, { ...summary, id });
    if (++count % perSlice === 0) await yieldToOthers?.();
  }
  return summaries;
}

/** Splits summaries into batches: each group as a whole, the others in slices. */
function* batchesOf(summaries: Summaries): Generator<readonly NamedSummary[]> {
  const groups = Map.groupBy(summaries.values(), ({ group }) => group);
  const alone = groups.get(undefined) ?? [];
  groups.delete(undefined);
  for (let at = 0; at < alone.length; at += perSlice) yield alone.slice(at, at + perSlice);
  yield* groups.values();
}

/** The id of a summary. The same summary always gets the same id. */
function idOf({ id, json }: VulnerabilitySummary): string {
  return id ?? hash("sha256", stableJson(json), "base64url").slice(0, 22);
}

async function* affectedBlocks(options: AffectedOptions, summaries: Summaries): AsyncGenerator<AffectedBlock> {
  for (const batch of batchesOf(summaries)) {
    yield* blocksOf(options, batch);
    await options.yieldToOthers?.();
  }
}

async function* blocksOf(
  { engine, store, facts, signal }: AffectedOptions,
  batch: readonly NamedSummary[],
): AsyncGenerator<AffectedBlock> {
  const { matchers } = engine;
  const rules = rulesOf(matchers, batch);
  for await (const found of findRecords(store, rules.keys)) {
    throwIfAborted(signal);
    const affected = rules.judge(facts === undefined ? found : await withFacts(engine, found, facts));
    for await (const { recordId, manifests } of findManifests(store, [...affected.keys()])) {
      throwIfAborted(signal);
      yield { ids: [...(affected.get(recordId) ?? [])], manifests };
    }
  }
  for await (const block of blocksByOrigin({ matchers, store }, batch)) {
    throwIfAborted(signal);
    yield block;
  }
}

async function withFacts(
  engine: MatchingEngine,
  found: readonly StoredRecord[],
  facts: MatchFacts,
): Promise<readonly StoredRecord[]> {
  const given = found.map(({ record }) => record);
  const { records } = await recordsToJudge(engine, given, { ...facts, names: noNames });
  return found.map(({ id, record }, at) => ({ id, record: records[at] ?? record }));
}

/** A package whose whole name is not known has no findings, so no names are needed for it. */
const noNames = async () => undefined;

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ScanError("aborted", "the search for affected manifests was cancelled");
}

/** A summary without a package name: it is about all packages of a distribution, a repository or both. */
interface OriginSummary {
  readonly id: string;
  readonly distribution?: Distribution;
  /** The releases that the distribution may be, as advisories name them. */
  readonly releases: ReadonlySet<string>;
  readonly repository?: PackageRepository;
}

/** The distributions and repositories of an image's packages. */
interface FoundOrigin {
  readonly distributions: readonly Distribution[];
  readonly repositories: readonly PackageRepository[];
}

/** The matchers, which name releases, and the images to search. */
interface OriginOptions {
  readonly matchers: readonly Matcher[];
  readonly store: IndexerStore;
}

/**
 * Finds the images with packages from the distributions and repositories of summaries that name no package. A distribution matches that
 * of an image if advisories for both are found under the same release (`3.18` is `3.18.0` for Alpine), or if all of its stated
 * members are equal. All stated members of a repository must be equal. There is no version to compare.
 */
async function* blocksByOrigin(
  { matchers, store }: OriginOptions,
  summaries: Iterable<NamedSummary>,
): AsyncGenerator<AffectedBlock> {
  const origins = [...summaries].flatMap((summary) => originOf(matchers, summary));
  if (origins.length === 0) return;
  const idsOf = idsFinder(matchers, origins);
  for await (const records of listRecords(store)) {
    const found = new Map(
      records.map(({ id, record: { distribution, repositories } }) => [
        id,
        idsOf({ distributions: distribution === undefined ? [] : [distribution], repositories }),
      ]),
    );
    const affected = [...found].flatMap(([id, ids]) => (ids.length > 0 ? [id] : []));
    for await (const { recordId, manifests } of findManifests(store, affected)) {
      yield { ids: found.get(recordId) ?? [], manifests };
    }
  }
  for await (const reports of listBareReports(store)) {
    for (const { manifestDigest, distributions, repositories } of reports) {
      const ids = idsOf({ distributions: Object.values(distributions), repositories: Object.values(repositories) });
      if (ids.length > 0) yield { ids, manifests: [manifestDigest] };
    }
  }
}

function originOf(matchers: readonly Matcher[], { id, statements, origin }: NamedSummary): readonly OriginSummary[] {
  if (statements.length > 0 || origin.kind !== "described") return [];
  const { distribution, repository } = origin;
  const releases = new Set(distribution && releasesOf(matchers, distribution, repository ? [repository] : []));
  return [{ id, releases, distribution, repository }];
}

/** The releases under which matchers find advisories, and the form in which reports describe a release: an ecosystem, split in two. */
function releasesOf(
  matchers: readonly Matcher[],
  distribution: Distribution,
  repositories: readonly PackageRepository[],
): readonly string[] {
  const { did = "", versionId, versionCodeName } = distribution;
  const version = versionId ?? versionCodeName;
  const own = version === undefined ? [] : [`${did}:${version}`];
  return [...own, ...ecosystemsOf(matchers, { distribution, repositories }, "")];
}

function idsFinder(matchers: readonly Matcher[], origins: readonly OriginSummary[]) {
  return ({ distributions, repositories }: FoundOrigin): readonly string[] => {
    const released = distributions.map((distribution) => ({
      distribution,
      releases: ecosystemsOf(matchers, { distribution, repositories }, ""),
    }));
    const found = origins.filter(
      ({ distribution: stated, releases, repository }) =>
        (stated === undefined ||
          released.some(
            (each) =>
              hasAll(each.distribution, stated) ||
              (each.releases.some((release) => releases.has(release)) && isSameMachine(each.distribution, stated)),
          )) &&
        (repository === undefined || repositories.some((each) => hasAll(each, repository))),
    );
    return found.map(({ id }) => id);
  };
}

/** Compares the architecture, which a release does not contain. */
function isSameMachine(found: Distribution, stated: Distribution): boolean {
  return stated.arch === undefined || stated.arch === found.arch;
}

/** Whether all stated members are equal. Ids are ignored, because they are valid only in one document. A summary that states nothing else matches nothing. */
function hasAll<Described extends Distribution | PackageRepository>(found: Described, stated: Described): boolean {
  const members = Object.entries(stated).filter(([name]) => name !== "id");
  return members.length > 0 && members.every(([name, value]) => found[name as keyof Described] === value);
}
