import { type Advisory, type IndexReport, ScanError, type VulnerabilityReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { type MatchFacts, type RuledVulnerabilityJson, toRuledVulnerabilityJson } from "@plimsoll/core/internal";
import {
  type DiffRefs,
  listOperationsByUpdater,
  type OperationQuery,
  toOperationJson,
  type UpdateOperationJson,
  type VulnerabilityDiff,
} from "./diff-refs.ts";
import { factsOf, type MatchManifestOptions, matchManifest } from "./match-manifest.ts";
import type { IndexReports } from "./ports.ts";
import { deleteOperation } from "./store/delete-operation.ts";
import { type FeedStatus, listFeeds } from "./store/feed-status.ts";
import { type RelatedOptions, relatedGroups } from "./store/related-advisories.ts";
import type { MatcherStore, UpdateKind } from "./store/tables.ts";
import { type AdvisorySet, diffOperations } from "./store/update-diff.ts";
import { findLatestOperation, findLatestRef, findOperation } from "./store/update-operations.ts";

/** The matcher without its HTTP API. */
export interface MatchService {
  /**
   * The vulnerability report of an indexed image by the current advisories. Its `feeds` list the feeds that were used.
   * @throws ScanError `not_found` for an image without a finished index; errors of the indexer
   */
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReport>;
  /**
   * The vulnerability report for an index report of the caller, which no indexer needs to have.
   * @throws ScanError
   */
  match(indexReport: IndexReport, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReport>;
  /** The reports of many images, one after the other in the given order. A failure does not end the batch. */
  batch(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): AsyncIterable<BatchItem>;
  /** The update operations by updater, newest first. */
  updateOperations(query?: OperationQuery): Promise<Readonly<Record<string, readonly UpdateOperationJson[]>>>;
  /** The `ref` of the newest operation of all updaters. The result of {@link updateOperations} changes only with it. */
  findLatestRef(kind?: UpdateKind): Promise<string | undefined>;
  /**
   * The loaded feeds with their age (`checkedAt`), row counts and dropped records, for readiness and metrics. It is one small query whatever
   * the size of the feeds.
   */
  feedStates(): Promise<readonly FeedStatus[]>;
  /** The facts that reports use besides advisories. An indexer needs them to find the same affected images as reports. */
  readonly facts: Required<MatchFacts>;
  /**
   * The changes between two operations.
   * @throws ScanError `not_found` for an unknown or deleted operation; `incomparable_operations` for operations of
   * different updaters
   */
  updateDiff(refs: DiffRefs): Promise<VulnerabilityDiff>;
  /** Deletes an operation. Returns whether it existed. */
  deleteUpdateOperation(ref: string): Promise<boolean>;
}

/** One result of a batch. */
export type BatchItem =
  | { readonly kind: "report"; readonly digest: Digest; readonly report: VulnerabilityReport }
  | { readonly kind: "failed"; readonly digest: Digest; readonly error: unknown };

/** Options of the service. */
export interface MatchServiceOptions extends Pick<MatchManifestOptions, "engine" | "store"> {
  readonly reports: IndexReports;
  /** Called for each report; feeds that were last checked before this time, in epoch milliseconds, count as outdated. */
  outdatedBefore?(): number;
}

/**
 * Creates a match service.
 * @example
 * declare const store: MatcherStore;
 * declare const reports: IndexReports;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const service = createMatchService({ engine, store, reports });
 */
export function createMatchService(options: MatchServiceOptions): MatchService {
  const { store, engine } = options;
  const report: MatchService["report"] = (digest, call = {}) => reportOf(digest, options, call);
  return {
    report,
    match: (indexReport, call = {}) => match(indexReport, options, call),
    async *batch(digests, call) {
      for (const digest of digests) {
        if (call?.signal?.aborted) throw new ScanError("aborted", "the batch of reports was cancelled");
        yield await report(digest, call).then(
          (made) => ({ kind: "report" as const, digest, report: made }),
          (error: unknown) => ({ kind: "failed" as const, digest, error }),
        );
      }
    },
    updateOperations: (query) => listOperationsByUpdater(store, query),
    feedStates: () => listFeeds(store),
    facts: factsOf(store, engine),
    findLatestRef: (kind) => findLatestRef(store, kind),
    updateDiff: (refs) => diffVulnerabilities(options, refs),
    deleteUpdateOperation: (ref) => deleteOperation(store, ref),
  };
}

async function reportOf(
  digest: Digest,
  options: MatchServiceOptions,
  call: { readonly signal?: AbortSignal },
): Promise<VulnerabilityReport> {
  const indexReport = await options.reports.find(digest, call);
  if (indexReport === undefined) throw new ScanError("not_found", `manifest ${digest} is not indexed`);
  if (indexReport.state !== "IndexFinished" || !indexReport.success) {
    throw new ScanError("not_found", `manifest ${digest} is not completely indexed: its state is ${indexReport.state}`);
  }
  return match(indexReport, options, call);
}

function match(
  indexReport: IndexReport,
  { engine, store, outdatedBefore }: MatchServiceOptions,
  call: { readonly signal?: AbortSignal },
): Promise<VulnerabilityReport> {
  const age = outdatedBefore === undefined ? {} : { outdatedBefore: outdatedBefore() };
  return matchManifest(indexReport, { engine, store, ...age, ...call });
}

/** The ref of the time before the first operation. */
const beforeAll = "00000000-0000-0000-0000-000000000000";

/** Options of {@link diffVulnerabilities}. */
interface DiffOptions {
  readonly store: MatcherStore;
  readonly reports: Pick<IndexReports, "relatedKeys">;
}

/**
 * Compares two operations; the result has the wire form.
 * @throws ScanError `not_found`; `incomparable_operations` for those of different updaters
 */
async function diffVulnerabilities(options: DiffOptions, refs: DiffRefs): Promise<VulnerabilityDiff> {
  const { store, reports } = options;
  const { prev, cur, scope = "changed" } = refs;
  const current = cur ?? (await getLatestRef(store, prev));
  if (prev !== beforeAll) await checkComparable(store, prev, current);
  const diff = await diffOperations(store, { current, previous: prev !== beforeAll ? prev : undefined });
  return {
    prev: diff.previous && toOperationJson(diff.previous),
    cur: toOperationJson(diff.current),
    added: scope === "changed" ? vulnerabilitiesOf(diff.added) : related("after"),
    removed: scope === "changed" ? vulnerabilitiesOf(diff.removed) : related("before"),
  };

  function related(side: RelatedOptions["side"]): AsyncIterable<RuledVulnerabilityJson> {
    return statementsOf(() => relatedGroups(store, { diff, side, relatedKeys: reports.relatedKeys }));
  }
}

/** Refuses operations of different updaters. */
async function checkComparable({ db }: MatcherStore, prev: string, cur: string): Promise<void> {
  const [previous, current] = [await findOperation(db, prev), await findOperation(db, cur)];
  if (previous === undefined || current === undefined || previous.updater === current.updater) return;
  const found = `one of ${previous.updater} and one of ${current.updater}`;
  throw new ScanError("incomparable_operations", `expected two operations of one updater, found ${found}`);
}

async function getLatestRef({ db }: MatcherStore, ref: string): Promise<string> {
  const operation = await findOperation(db, ref);
  const latest = operation && (await findLatestOperation(db, operation.updater));
  if (latest === undefined) throw new ScanError("not_found", `there is no update operation ${ref}`);
  return latest.ref;
}

/** The advisories with the status `affected`, as vulnerabilities. */
function vulnerabilitiesOf(advisories: AdvisorySet): AsyncIterable<RuledVulnerabilityJson> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const advisory of advisories) {
        if (advisory.status === "affected") yield toRuledVulnerabilityJson(advisory);
      }
    },
  };
}

/** The statements of whole groups, one group after the other. Groups without an `affected` statement are left out. */
function statementsOf(groups: () => ReturnType<typeof relatedGroups>): AsyncIterable<RuledVulnerabilityJson> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const { name, advisories } of groups()) {
        const statements = advisories.filter(({ status }) => status !== "undetermined");
        if (statements.some(({ status }) => status === "affected"))
          yield* statements.map((each) => inGroup(each, name));
      }
    },
  };
}

function inGroup(advisory: Advisory, group: string): RuledVulnerabilityJson {
  const json = toRuledVulnerabilityJson(advisory);
  return { ...json, rule: { ...json.rule, group } };
}
