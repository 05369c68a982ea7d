import type { Digest, IndexReport, Json, Manifest } from "@plimsoll/core";

/** How one call of the service is made. */
export interface CallOptions {
  /** Ends the caller's waiting, not what others wait for too. */
  readonly signal?: AbortSignal;
}

/** The indexer without its network face. */
export interface IndexService extends AsyncDisposable {
  /**
   * Indexes an image once, whoever asks and at whatever node: callers that come while a run is under way get its result,
   * later ones the stored report as long as the index state is the same. A failed run is stored and the next call
   * repeats it.
   * @throws ScanError why the run failed; `aborted` when the caller gave up
   */
  submit(manifest: Manifest, options?: CallOptions): Promise<IndexReport>;
  /** The finished report; where there is none, how far the run under way has come or how the last one failed. */
  findReport(digest: Digest): Promise<IndexReport | undefined>;
  /** Removes whatever is stored of an image, and of its layers what no other image has. Returns whether there was any. */
  delete(digest: Digest): Promise<boolean>;
  /** Deletes several; returns those that were there, in the order given, each once. */
  deleteMany(digests: readonly Digest[]): Promise<readonly Digest[]>;
  /** The index state: changes exactly when images have to be indexed again. */
  state(): string;
  /**
   * The indexed images that vulnerabilities apply to.
   * @param summaries a parsed JSON document: vulnerability summaries or whole vulnerabilities as an array, or as the array
   * `vulnerabilities` of an object
   * @throws ScanError `malformed_summary`
   */
  affectedManifests(summaries: Json, options?: CallOptions): Promise<AffectedManifestsJson>;
  /**
   * Takes over the runs that a crash or a stop cut off, at whatever node they were. Call it at start and now and then.
   * Returns the images whose runs this call has ended, well or not.
   */
  resume(options?: CallOptions): Promise<readonly Digest[]>;
}

/** `affected_manifests` of the scanner API. */
export interface AffectedManifestsJson {
  /** As they were submitted, by their ids; those without one have an id that depends only on their content. */
  readonly vulnerabilities: Readonly<Record<string, Json>>;
  /** Ids by manifest digest, worst severity first. */
  readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>>;
}
