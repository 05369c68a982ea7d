/**
 * Reads layers while they are pushed. A push does not wait for its reader: a reader that falls behind reads the rest from the store when
 * the blob is stored. A layer without a free queue is read from the store as a whole. A failure of the reader does not fail the push.
 */
import type { Bytes } from "@plimsoll/core";
import pLimit from "p-limit";
import type { BlobStore } from "../ports/blob-store.ts";
import { PushedLayer, type ReadableUpload, type StoredBlob } from "./pushed-layer.ts";
import { ReadingTurns } from "./reading-turns.ts";

/** A reader of pushed layers. */
export interface LayerObserver {
  /** Reads an upload. Resolves when the result is stored. Rejects if the upload is not a layer, or cannot be read. */
  observe(upload: ReadableUpload): Promise<void>;
  /** How many uploads it reads at once; others wait. No limit where absent. */
  readonly atOnce?: number;
}

/** Options of {@link observeLayers}. */
export interface ObserveOptions {
  readonly observer: LayerObserver;
  readonly blobs: Pick<BlobStore, "read">;
  /** How many bytes a reader may be behind its client; 8 MiB where absent. */
  readonly queueBytes?: number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
}

/** The bytes that a request adds to an upload, from an offset on. */
export interface AddedBytes {
  readonly offset: number;
  readonly source: Bytes;
}

/** The uploads of one process that are being read. */
export interface LayerObservations {
  /**
   * Passes the bytes that a request adds to an upload to a reader and to the store. If storing them fails, the reading is discarded.
   * @param append stores every byte of its source, or throws
   */
  pass<T>(uploadId: string, added: AddedBytes, append: (source: Bytes) => Promise<T>): Promise<T>;
  /** Called when an upload has become a blob. */
  commit(uploadId: string, blob: StoredBlob): void;
  /** Called when an upload will not become a blob. */
  abandon(uploadId: string): void;
  /** Resolves when this process is not reading or going to read any of these blobs. */
  settle(digests: readonly string[]): Promise<void>;
  /** Ends all reading. */
  close(): void;
}

/** Observations without a reader: layers are only stored. */
export const noObservations: LayerObservations = {
  pass: (_uploadId, { source }, append) => append(source),
  commit: () => {},
  abandon: () => {},
  settle: async () => {},
  close: () => {},
};

/** Observes the uploads of this process. */
export function observeLayers(options: ObserveOptions): LayerObservations {
  return new ObservedUploads(options);
}

/**
 * The most uploads with a queue at once, including those whose queue is not released yet. Each uses its queue and about 4 MB in its
 * reader.
 */
const mostPassing = 4;

/**
 * Limits of reading blobs from the store that had no free queue during their push. Further blobs are read by the scan of their image.
 */
const storeReads = { atOnce: 2, waiting: 1000 } as const;

/** The most uploads that are tracked until they become blobs. Some clients never complete theirs. */
const mostUploads = 1000;

interface ObservedUpload {
  readonly layer: PushedLayer;
  readonly reading: Promise<void>;
}

class ObservedUploads implements LayerObservations {
  readonly #observer: LayerObserver;
  readonly #blobs: Pick<BlobStore, "read">;
  readonly #queueBytes: number;
  readonly #turns: ReadingTurns;
  readonly #freeQueues: Uint8Array[] = [];
  #queues = 0;
  readonly #limitStoreReads = pLimit(storeReads.atOnce);
  /** By upload, the one without requests for the longest time first. */
  readonly #uploads = new Map<string, ObservedUpload>();
  /** By digest. */
  readonly #readings = new Map<string, Promise<unknown>>();
  readonly #passing = new Set<PushedLayer>();
  readonly #fromStore = new Set<PushedLayer>();
  #isClosed = false;

  constructor({ observer, blobs, queueBytes = 8 * 1024 ** 2, sleep }: ObserveOptions) {
    this.#observer = observer;
    this.#blobs = blobs;
    this.#queueBytes = queueBytes;
    const { atOnce = Number.POSITIVE_INFINITY } = observer;
    this.#turns = new ReadingTurns({ atOnce, sleep, giveUp: (layer) => this.#abandonUpload(layer) });
  }

  async pass<T>(uploadId: string, { offset, source }: AddedBytes, append: (source: Bytes) => Promise<T>): Promise<T> {
    const layer = this.#layerAt(uploadId, offset);
    if (layer === undefined) return append(source);
    layer.isActive = true;
    try {
      const appended = await append(passing(source, layer));
      this.#putLast(uploadId);
      return appended;
    } catch (error) {
      this.abandon(uploadId);
      throw error;
    } finally {
      layer.isActive = false;
    }
  }

  commit(uploadId: string, blob: StoredBlob): void {
    if (this.#uploads.get(uploadId)?.layer.isActive) this.abandon(uploadId); // some of the observed bytes are not stored yet
    const upload = this.#uploads.get(uploadId);
    this.#uploads.delete(uploadId);
    upload?.layer.commit(blob);
    if (upload !== undefined) this.#track(blob, upload.reading);
    else if (!this.#readings.has(blob.digest)) this.#track(blob, this.#readFromStore(blob));
  }

  abandon(uploadId: string): void {
    const layer = this.#uploads.get(uploadId)?.layer;
    if (layer === undefined) return;
    layer.abandon();
    this.#giveBack(layer);
    this.#passing.delete(layer);
    this.#uploads.delete(uploadId);
  }

  async settle(digests: readonly string[]): Promise<void> {
    await Promise.all(digests.map((digest) => this.#readings.get(digest)));
  }

  close(): void {
    this.#isClosed = true;
    this.#turns.close();
    for (const layer of [...this.#passing, ...this.#fromStore]) layer.abandon();
  }

  #abandonUpload(layer: PushedLayer): void {
    const upload = this.#uploads.entries().find(([, observed]) => observed.layer === layer);
    if (upload !== undefined) this.abandon(upload[0]);
  }

  /** The layer that receives the bytes of an upload from that offset on; undefined if they are not observed. */
  #layerAt(uploadId: string, offset: number): PushedLayer | undefined {
    const layer = this.#uploads.get(uploadId)?.layer;
    if (layer === undefined) return offset === 0 ? this.#begin(uploadId) : undefined;
    if (layer.isActive || offset < layer.passedBytes) {
      this.abandon(uploadId);
      return undefined;
    }
    if (offset > layer.passedBytes) layer.stop();
    return layer;
  }

  /** Begins to read an upload from its first byte, if there is room. */
  #begin(uploadId: string): PushedLayer | undefined {
    const memory = this.#isClosed ? undefined : this.#takeQueue();
    if (memory === undefined) return undefined;
    const layer = new PushedLayer(this.#blobs, memory);
    const reading = this.#read(layer, this.#passing).then(() => this.#giveBack(layer));
    this.#uploads.set(uploadId, { layer, reading });
    const [oldest] = this.#uploads.keys();
    if (oldest !== undefined && this.#uploads.size > mostUploads) this.abandon(oldest);
    return layer;
  }

  /** Allocates a queue. If none is free, the upload without requests for the longest time loses its queue. */
  #takeQueue(): Uint8Array | undefined {
    const free = this.#freeQueues.pop();
    if (free !== undefined) return free;
    if (this.#queues < mostPassing) {
      this.#queues++;
      return new Uint8Array(this.#queueBytes);
    }
    const resting = this.#uploads.entries().find(([, { layer }]) => !layer.isActive && this.#passing.has(layer));
    if (resting !== undefined) this.abandon(resting[0]);
    return this.#freeQueues.pop(); // undefined if the reader still uses that queue
  }

  /** Returns the memory of a layer to the free queues, so that references to the layer do not hold it. */
  #giveBack(layer: PushedLayer): void {
    const memory = layer.release();
    if (memory !== undefined) this.#freeQueues.push(memory);
  }

  #putLast(uploadId: string): void {
    const upload = this.#uploads.get(uploadId);
    if (upload === undefined || !this.#uploads.delete(uploadId)) return;
    this.#uploads.set(uploadId, upload);
  }

  async #readFromStore(blob: StoredBlob): Promise<void> {
    const read = async () => {
      const layer = new PushedLayer(this.#blobs, new Uint8Array(0));
      layer.commit(blob);
      if (!this.#isClosed) await this.#read(layer, this.#fromStore);
    };
    if (this.#limitStoreReads.pendingCount >= storeReads.waiting) return;
    await this.#limitStoreReads(read).catch(() => {});
  }

  /** Reads a layer. Never rejects. */
  async #read(layer: PushedLayer, among: Set<PushedLayer>): Promise<void> {
    among.add(layer);
    try {
      await this.#turns.run(layer, () => this.#observer.observe(layer));
    } catch {
      // a job scans the image again, and reports the failure
    } finally {
      layer.stop();
      among.delete(layer);
    }
  }

  #track({ digest }: StoredBlob, reading: Promise<void>): void {
    const all = Promise.all([reading, this.#readings.get(digest)]).then(() => {
      if (this.#readings.get(digest) === all) this.#readings.delete(digest);
    });
    this.#readings.set(digest, all);
  }
}

async function* passing(source: Bytes, layer: PushedLayer): Bytes {
  for await (const chunk of source) {
    layer.pass(chunk);
    yield chunk;
  }
}
