import { type Digest, type IndexReport, type MatchFacts, ScanError, type VulnerabilityReport } from "@plimsoll/core";
import type { DiffRefs, VulnerabilityDiff } from "./diff-refs.ts";
import { factsOf, type MatchManifestOptions, matchManifest } from "./match-manifest.ts";
import type { OperationQuery } from "./operation-query.ts";
import { listOperationsByUpdater, type UpdateOperationJson } from "./operations-by-updater.ts";
import type { IndexReports } from "./ports.ts";
import { deleteOperation } from "./store/delete-operation.ts";
import { type FeedStatus, listFeeds } from "./store/feed-status.ts";
import type { UpdateKind } from "./store/tables.ts";
import { findLatestRef } from "./store/update-operations.ts";
import { diffVulnerabilities } from "./vulnerability-diff.ts";

/** The matcher without its HTTP API. */
export interface MatchService {
  /**
   * What is wrong with an indexed image, by the advisories of now. Its `feeds` say which were loaded.
   * @throws ScanError `not_found` for an image that is not indexed, or not successfully; what the indexer throws
   */
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReport>;
  /**
   * The same for an index report that the caller has, whether any indexer knows it or not.
   * @throws ScanError
   */
  match(indexReport: IndexReport, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReport>;
  /** The reports of many images, one after the other in the order asked. What fails does not end the others. */
  batch(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): AsyncIterable<BatchItem>;
  /** The update operations by updater, newest first. */
  updateOperations(query?: OperationQuery): Promise<Readonly<Record<string, readonly UpdateOperationJson[]>>>;
  /** The `ref` of the newest operation of all updaters: what the answer of {@link updateOperations} depends on. */
  findLatestRef(kind?: UpdateKind): Promise<string | undefined>;
  /**
   * The loaded feeds with their age (`checkedAt`), their number of rows and the records that were dropped: for readiness and
   * metrics. One small query, whatever the size of the feeds; no feed is an empty list.
   */
  feedStates(): Promise<readonly FeedStatus[]>;
  /** What reports are made with besides advisories: an indexer needs it to find the images whose reports name a vulnerability. */
  readonly facts: Required<MatchFacts>;
  /**
   * What changed between two operations.
   * @throws ScanError `not_found` for an operation that is unknown or forgotten; `incomparable_operations` for those of
   * different updaters
   */
  updateDiff(refs: DiffRefs): Promise<VulnerabilityDiff>;
  /** Forgets an operation. Returns whether there was one of that ref. */
  deleteUpdateOperation(ref: string): Promise<boolean>;
}

/** One answer of a batch. */
export type BatchItem =
  | { readonly kind: "report"; readonly digest: Digest; readonly report: VulnerabilityReport }
  | { readonly kind: "failed"; readonly digest: Digest; readonly error: unknown };

/** Options of the service. */
export interface MatchServiceOptions extends Pick<MatchManifestOptions, "engine" | "store"> {
  readonly reports: IndexReports;
  /** Epoch milliseconds, asked for at each report: a feed that was last checked before counts as outdated. */
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
        if (call?.signal?.aborted) throw new ScanError("aborted", "making reports was cancelled");
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
