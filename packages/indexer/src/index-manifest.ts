import { type Engine, type IndexReport, ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import type { Manifest, ManifestLayer, SourceLayer } from "@plimsoll/core/internal";
import { StoreError } from "@plimsoll/store";
import type { Indexer } from "./indexer.ts";
import type { FetchLayer } from "./ports.ts";
import { findFinished } from "./store/manifests.ts";
import { putFinished } from "./store/put-finished.ts";
import { beginRun, failRun, findRun, type RunFailure } from "./store/runs.ts";
import type { IndexerStore } from "./store/tables.ts";
import { parseReport } from "./values/parse-report.ts";

/** What runs need. */
export interface IndexDeps {
  readonly engine: Engine;
  readonly store: IndexerStore;
  readonly indexer: Indexer;
  readonly fetchLayer: FetchLayer;
  readonly clock: { now(): number };
  /** Creates a unique id for a run. */
  readonly createRunId: () => string;
}

/** Reads a finished report. It is a function because the report may be large, and not every waiting caller needs it. */
export type FinishedReport = () => Promise<IndexReport>;

/** One run. */
export interface IndexJob {
  readonly manifest: Manifest;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** Called with the run's id as soon as it is stored. */
  readonly onBegun?: (id: string) => void;
  /** When it is aborted, the run stays open, so that another process can take it over. */
  readonly signal: AbortSignal;
}

/** The name of the lock for runs of an image. */
export function lockName(digest: Digest): string {
  return `indexer.manifest.${digest}`;
}

/**
 * Runs one index of an image, and stores the report or the failure. The caller holds the image's lock.
 * @throws ScanError of the failure; `aborted` if the run was interrupted, `deleted` if the image was deleted meanwhile
 */
export async function indexManifest(deps: IndexDeps, job: IndexJob): Promise<FinishedReport> {
  const { store, clock, createRunId } = deps;
  const { manifest, attempts, signal } = job;
  const id = createRunId();
  await beginRun(store, { id, manifest, attempts, at: clock.now() });
  job.onBegun?.(id);
  try {
    return await indexAndStore(deps, job, id);
  } catch (error) {
    const wasInterrupted = signal.aborted || error instanceof StoreError;
    if (!wasInterrupted) await failRun(store, manifest.digest, { id, failure: failureOf(error), at: clock.now() });
    throw error;
  }
}

async function indexAndStore(deps: IndexDeps, { manifest, signal }: IndexJob, run: string): Promise<FinishedReport> {
  const { engine, store, fetchLayer, clock } = deps;
  const { report, records, together } = await readImage(deps.indexer, manifest, { fetchLayer, signal });
  const isStored = await putFinished(store, {
    manifestDigest: manifest.digest,
    report,
    engineState: engine.state,
    layers: [...manifest.layers.map(({ digest }) => digest), ...together],
    records: { keysState: engine.keysState, records },
    at: clock.now(),
    run,
    lock: lockName(manifest.digest),
    signal,
  });
  if (isStored) return () => parseReport(report);
  const theirs = await findFinished(store, manifest.digest, engine.state);
  if (theirs !== undefined) return async () => theirs;
  const successor = await findRun(store, manifest.digest);
  if (successor !== undefined) {
    throw new ScanError("aborted", `indexing manifest ${manifest.digest} was taken over by another process`);
  }
  throw new ScanError("deleted", `manifest ${manifest.digest} was deleted while it was indexed: submit it again`);
}

async function readImage(
  indexer: Indexer,
  manifest: Manifest,
  { fetchLayer, signal }: { readonly fetchLayer: FetchLayer; readonly signal: AbortSignal },
) {
  for await (const record of indexer.record(fromManifest(manifest, fetchLayer), { signal })) return record;
  throw new Error("expected one image of a manifest, found none");
}

/** The failure to store. Internal errors are not disclosed to clients. */
function failureOf(error: unknown): RunFailure {
  if (error instanceof ScanError) return { code: error.code, message: error.message };
  return { message: "indexing failed because of an internal error" };
}

/** The source of an image that a client describes by the addresses of its layers. */
function fromManifest(manifest: Manifest, fetchLayer: FetchLayer): ImageSource {
  const { digest: manifestDigest, layers } = manifest;
  const reference = `manifest ${manifestDigest}`;
  return {
    name: reference,
    open: async () => ({
      images: [{ reference, manifestDigest, layers: layers.map((layer) => sourceLayer(layer, fetchLayer)) }],
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}

/**
 * Converts a layer of a manifest. Clients send many media types, or none, for layers that are tar archives: only JSON, which is used for
 * signatures and statements, is left out. A foreign layer is read like any other, because it has an address.
 */
function sourceLayer(layer: ManifestLayer, fetchLayer: FetchLayer): SourceLayer<never> {
  const { digest, mediaType = "" } = layer;
  if (/^[^;]*[/+]json\s*(;|$)/i.test(mediaType)) {
    const shown = JSON.stringify(mediaType.slice(0, 100));
    return { kind: "foreign", digest, mediaType, message: `${shown} is not a file system layer` };
  }
  return {
    kind: "blob",
    digest,
    mediaType,
    expected: { digest },
    reopens: true,
    open: (signal) => fetchLayer(layer, signal),
  };
}
