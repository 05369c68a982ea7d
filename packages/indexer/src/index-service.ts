import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { Manifest, MatchKey } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import type { AffectedBlock } from "./affected-block.ts";
import { type AffectedManifestsJson, findAffectedManifests, listAffectedManifests } from "./affected-manifests.ts";
import { IndexRuns } from "./index-runs.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { StoredKeys } from "./refresh-keys.ts";
import { type FoundImages, findImages, type ImagesQuestion } from "./store/find-images.ts";
import { listKnownImages } from "./store/indexed-images.ts";
import { findRelatedKeys } from "./store/keys-state.ts";
import { deleteManifest, findFinished, findFinishedState } from "./store/manifests.ts";
import { findRun, reportOfRun } from "./store/runs.ts";

/** Options of one call of the service. */
export interface CallOptions {
  /** Ends the wait of this caller; shared work continues. */
  readonly signal?: AbortSignal;
}

/** The indexer without its HTTP API. */
export interface IndexService extends AsyncDisposable {
  /**
   * Indexes an image once on all nodes: callers during a run get its result, later callers the stored report as long as the index
   * state is the same. A failed run is stored, and the next call repeats it.
   * @throws ScanError of the failed run; `aborted` if the signal was aborted; `deleted` if the image was deleted
   * meanwhile
   */
  submit(manifest: Manifest, options?: CallOptions): Promise<IndexReport>;
  /** As {@link submit} without the report, for callers that read it later: a large report takes memory and time. */
  index(manifest: Manifest, options?: CallOptions): Promise<void>;
  /** The finished report; without one, a report with the progress of the current run or the failure of the last. */
  findReport(digest: Digest): Promise<IndexReport | undefined>;
  /** The index state of the finished report; undefined if there is none. */
  findReportState(digest: Digest): Promise<string | undefined>;
  /** Deletes all data of an image, and the findings of layers that no other image has. @returns whether there was any */
  delete(digest: Digest): Promise<boolean>;
  /** Deletes several images; returns those that existed, each once, in the given order. */
  deleteMany(digests: readonly Digest[]): Promise<readonly Digest[]>;
  /**
   * The digests of images with a finished report or a failed run, in order; images with only a running index are left out. At most `limit`
   * digests that are greater than `after`, compared as text; the empty text starts from the first.
   */
  listImages(after: string, limit: number): Promise<readonly Digest[]>;
  /** The index state. It changes exactly when images must be indexed again. */
  state(): string;
  /**
   * The indexed images that vulnerabilities apply to.
   * @param summaries a parsed JSON document: vulnerability summaries or whole vulnerabilities as an array, or as the array
   * `vulnerabilities` of an object
   * @throws ScanError `malformed_summary`
   */
  affectedManifests(summaries: Json, options?: CallOptions): Promise<AffectedManifestsJson>;
  /** As {@link affectedManifests}, in blocks as they are found. Its memory use does not depend on the number of images. */
  listAffected(summaries: Json, options?: CallOptions): AsyncIterable<AffectedBlock>;
  /** The images that have a package, a licence or a supplier, and because of which packages. */
  findImages(question: ImagesQuestion): Promise<FoundImages>;
  /** All keys of the indexed packages that are found under the given keys: advisories under any of them may affect verdicts on these packages. */
  relatedKeys(keys: readonly MatchKey[]): Promise<readonly MatchKey[]>;
  /**
   * Rebuilds the reverse index for images whose keys were made by other matcher revisions. It can be resumed on any node. Call it at start
   * and periodically. Until it is done, images are found by the old keys. Returns the number of images that this call has rebuilt.
   */
  refreshKeys(options?: CallOptions): Promise<number>;
  /**
   * Takes over runs that a crash or a stop has interrupted, on any node. Call it at start and periodically.
   * Returns the images whose runs this call has ended, successfully or not.
   */
  resume(options?: CallOptions): Promise<readonly Digest[]>;
}

/** Creates an index service. Disposing of it stops its runs; another node, or the next start, takes them over. */
export function assembleIndexService(options: IndexServiceOptions): IndexService {
  const { engine, store, facts, sleep } = options;
  const affected = { engine, store, facts, yieldToOthers: () => sleep(0) };
  const runs = new IndexRuns(options);
  const keys = new StoredKeys(options);
  return {
    submit: async (manifest, { signal } = {}) => (await runs.submit(manifest, signal))(),
    async index(manifest, { signal } = {}) {
      await runs.submit(manifest, signal);
    },
    async findReport(digest) {
      const finished = await findFinished(store, digest);
      if (finished !== undefined) return finished;
      const run = await findRun(store, digest);
      return run === undefined ? undefined : reportOfRun(digest, run);
    },
    findReportState: (digest) => findFinishedState(store, digest),
    delete: (digest) => deleteManifest(store, digest),
    async deleteMany(digests) {
      const deleted: Digest[] = [];
      for (const digest of new Set(digests)) if (await deleteManifest(store, digest)) deleted.push(digest);
      return deleted;
    },
    listImages: (after, limit) => listKnownImages(store, after, limit),
    state: () => engine.state,
    affectedManifests: (summaries, call) => findAffectedManifests({ ...affected, ...call }, summaries),
    listAffected: (summaries, call) => listAffectedManifests({ ...affected, ...call }, summaries),
    findImages: (question) => findImages(store, question),
    relatedKeys: (given) => findRelatedKeys(store, given),
    refreshKeys: ({ signal } = {}) => keys.refresh(signal),
    resume: ({ signal } = {}) => runs.resume(signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([runs.stop(), keys.stop()]);
    },
  };
}
