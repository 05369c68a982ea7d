import type { Digest, IndexReport, Json, Manifest, MatchKey } from "@plimsoll/core";
import type { AffectedBlock } from "./affected-block.ts";
import { type AffectedManifestsJson, findAffectedManifests, listAffectedManifests } from "./affected-manifests.ts";
import { IndexRuns } from "./index-runs.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { StoredKeys } from "./refresh-keys.ts";
import { listKnownImages } from "./store/known-images.ts";
import { deleteManifest, findFinished, findFinishedState } from "./store/manifests.ts";
import { findRelatedKeys } from "./store/related-keys.ts";
import { findRun, reportOfRun } from "./store/runs.ts";

/** How one call of the service is made. */
export interface CallOptions {
  /** Ends the caller's waiting, not what others wait for too. */
  readonly signal?: AbortSignal;
}

/** The indexer without its HTTP API. */
export interface IndexService extends AsyncDisposable {
  /**
   * Indexes an image once, whichever node is asked: callers that come while a run is under way get its result,
   * later ones the stored report as long as the index state is the same. A failed run is stored and the next call
   * repeats it.
   * @throws ScanError why the run failed; `aborted` when the caller gave up; `deleted` when the image was deleted
   * meanwhile
   */
  submit(manifest: Manifest, options?: CallOptions): Promise<IndexReport>;
  /** {@link submit} without the report, for callers that ask for it later: a large one takes memory and time. */
  index(manifest: Manifest, options?: CallOptions): Promise<void>;
  /** The finished report; where there is none, how far the run under way has come or how the last one failed. */
  findReport(digest: Digest): Promise<IndexReport | undefined>;
  /** The index state that the finished report was made under; undefined where there is none. */
  findReportState(digest: Digest): Promise<string | undefined>;
  /** Removes whatever is stored of an image, and of its layers what no other image has. Returns whether there was any. */
  delete(digest: Digest): Promise<boolean>;
  /** Deletes several; returns those that were there, in the order given, each once. */
  deleteMany(digests: readonly Digest[]): Promise<readonly Digest[]>;
  /**
   * Digests, in order, of images with stored data; images that only have a running index are left out. At most `limit` of those after
   * `after`. A text that is no digest begins with the first.
   */
  listImages(after: string, limit: number): Promise<readonly Digest[]>;
  /** The index state: changes exactly when images have to be indexed again. */
  state(): string;
  /**
   * The indexed images that vulnerabilities apply to.
   * @param summaries a parsed JSON document: vulnerability summaries or whole vulnerabilities as an array, or as the array
   * `vulnerabilities` of an object
   * @throws ScanError `malformed_summary`
   */
  affectedManifests(summaries: Json, options?: CallOptions): Promise<AffectedManifestsJson>;
  /** {@link affectedManifests} in blocks as they are found, in memory that does not depend on the number of images. */
  listAffected(summaries: Json, options?: CallOptions): AsyncIterable<AffectedBlock>;
  /** Of the packages under some keys all keys, as far as any image has them: what may have a say in verdicts on them. */
  relatedKeys(keys: readonly MatchKey[]): Promise<readonly MatchKey[]>;
  /**
   * Rebuilds the reverse index for images whose keys were made by other matcher revisions. Resumable, on any node. Call it at start and
   * now and then. Until it is done, images are found by the old keys. Returns how many images this call has rebuilt.
   */
  refreshKeys(options?: CallOptions): Promise<number>;
  /**
   * Takes over the runs that a crash or a stop cut off, on any node. Call it at start and now and then.
   * Returns the images whose runs this call has ended, well or not.
   */
  resume(options?: CallOptions): Promise<readonly Digest[]>;
}

/** Creates an index service. Disposing of it stops its runs; another node, or the next start, takes them over. */
export function assembleIndexService(options: IndexServiceOptions): IndexService {
  const { engine, store, facts, sleep } = options;
  const affected = { engine, store, ...(facts && { facts }), yieldToOthers: () => sleep(0) };
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
    relatedKeys: (asked) => findRelatedKeys(store, asked),
    refreshKeys: ({ signal } = {}) => keys.refresh(signal),
    resume: ({ signal } = {}) => runs.resume(signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([runs.stop(), keys.stop()]);
    },
  };
}
