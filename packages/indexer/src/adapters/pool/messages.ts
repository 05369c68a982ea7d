/**
 * What a pool and its threads tell each other. A thread says "ready" once. Every task has a port of its own:
 *
 *     pool → thread   task ( abort ) ( digest )
 *     thread → pool   *open *piece ( done / failed )
 *     pool → thread   *next                             for each piece, when the next one may come
 */

import type { MessagePort } from "node:worker_threads";
import type { Digest, ExpectedLayer, FileRange, ImageLayer, Limits, ScanErrorCode } from "@plimsoll/core";
import type { ReadLayer } from "../../image-readers.ts";
import type { RecordedImage } from "../../make-report.ts";
import type { LayerRecord } from "../../values/layer-record.ts";

/** What a thread is started with. */
export interface ThreadSetup {
  /** Names of those that come with the engine. */
  readonly ecosystems: readonly string[];
  readonly limits: Limits;
  /** Where the ecosystems are that do not come with the engine; see `EngineOptions.module`. */
  readonly module?: string;
  /** The engine's. */
  readonly state: string;
  /** Whether whatever else the process does goes first, where threads have priorities. */
  readonly inBackground: boolean;
}

/** What a thread is to read. */
export type Reading =
  | {
      readonly kind: "layer";
      readonly reopens: boolean;
      readonly expected: ExpectedLayer;
      readonly file?: FileRange;
      /** Whether the digest of the bytes comes as a message. */
      readonly awaitsDigest: boolean;
    }
  | { readonly kind: "folder"; readonly folder: string }
  | ImageReading;

/** What a thread is to make a report of. The records of the layers come as bytes, see {@link encodeRecords}. */
export interface ImageReading extends Pick<RecordedImage, "manifestDigest" | "purpose"> {
  readonly kind: "image";
  /** Base first; `digest` is what a layer is known by in the image. */
  readonly layers: readonly ((Pick<LayerRecord, "digest"> & { readonly status: "read" }) | ForeignLayer)[];
}

type ForeignLayer = Extract<ImageLayer, { readonly status: "foreign" }>;

/** A reading and where to tell of it. */
export interface Task {
  readonly reading: Reading;
  readonly port: MessagePort;
}

/** What a thread is told about its task. */
export type ToThread =
  | { readonly kind: "abort" }
  | { readonly kind: "digest"; readonly digest: Digest }
  | { readonly kind: "next" };

/** What a thread tells of its task. */
export type ToPool =
  /** The bytes are wanted from the beginning; `bytes` is where {@link writePipe} sends them. */
  | { readonly kind: "open"; readonly bytes: MessagePort }
  /** A piece of the text that is made. */
  | { readonly kind: "piece"; readonly piece: string }
  | { readonly kind: "done"; readonly result: ThreadResult }
  | { readonly kind: "failed"; readonly code: ScanErrorCode | undefined; readonly message: string };

/** What a thread has made besides text. */
export type ThreadResult =
  | { readonly kind: "layer"; readonly read: Omit<ReadLayer, "record">; readonly head: RecordHead }
  | { readonly kind: "folder"; readonly head: RecordHead }
  /** The first pieces are the report's, the others what it is looked for by. */
  | { readonly kind: "image"; readonly reportPieces: number };

/** A record without its text. */
export type RecordHead = Omit<LayerRecord, "pieces">;
