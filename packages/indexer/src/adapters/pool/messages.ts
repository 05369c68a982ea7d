/**
 * The messages between a pool and its threads. A thread sends "ready" once. Every task has its own port:
 *
 *     pool → thread   task ( abort ) ( digest )
 *     thread → pool   *open *piece ( done / failed )
 *     pool → thread   *next                             after each piece: the next one may be sent
 */

import type { MessagePort } from "node:worker_threads";
import type { Limits, ScanErrorCode } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type {
  ExpectedLayer,
  FileRange,
  FilesApart,
  ImageLayer,
  JoinedFiles,
  OpenIndexFile,
} from "@plimsoll/core/internal";
import type { RecordedImage } from "../../make-report.ts";
import type { ReadLayer } from "../../ports.ts";
import type { LayerRecord } from "../../values/layer-record.ts";

/** The data that a thread is started with. */
export interface ThreadSetup {
  /** The names of ecosystems of `@plimsoll/core`. */
  readonly ecosystems: readonly string[];
  readonly limits: Limits;
  /** See `EngineOptions.details`. */
  readonly details: boolean;
  /** See `EngineOptions.files`. */
  readonly files: boolean;
  /** The module with an engine of other ecosystems; see `EngineOptions.module`. */
  readonly module?: string;
  /** The state of the engine. */
  readonly state: string;
  /** The open file of the Java index. All threads of a process share it. */
  readonly javaIndex?: { readonly file: OpenIndexFile; readonly state: string };
  /** Whether the thread lowers its priority, on systems where threads have priorities. */
  readonly inBackground: boolean;
}

/** The input of a task. */
export type Reading =
  | (LayerReading & {
      readonly kind: "layer";
      /** Whether the digest of the bytes is sent as a message. */
      readonly awaitsDigest: boolean;
    })
  | {
      readonly kind: "together";
      readonly digest: Digest;
      readonly parts: readonly { readonly layer: LayerReading; readonly paths: readonly string[] }[];
    }
  | { readonly kind: "folder"; readonly folder: string }
  | ImageReading;

/** A layer to read. */
export interface LayerReading {
  readonly reopens: boolean;
  readonly expected: ExpectedLayer;
  readonly file?: FileRange;
}

/** An image to make a report of. The records of its layers, and then of its files, are sent as bytes, see {@link encodeRecords}. */
export interface ImageReading extends Pick<RecordedImage, "manifestDigest" | "purpose"> {
  readonly kind: "image";
  /** Base first. `digest` identifies a layer in the image. */
  readonly layers: readonly (RecordedHead | ForeignLayer)[];
  /** Files of different layers that were read together. */
  readonly joined: readonly JoinedFiles<RecordedHead>[];
}

/** A record that is sent as bytes. */
export interface RecordedHead extends Pick<LayerRecord, "digest"> {
  readonly status: "read";
}

type ForeignLayer = Extract<ImageLayer, { readonly status: "foreign" }>;

/** A task and the port for its messages. */
export interface Task {
  readonly reading: Reading;
  readonly port: MessagePort;
}

/** A message to a thread about its task. */
export type ToThread =
  | { readonly kind: "abort" }
  | { readonly kind: "digest"; readonly digest: Digest }
  | { readonly kind: "next" };

/** A message from a thread about its task. */
export type ToPool =
  /** Requests the bytes from the beginning, of one of several layers; {@link writePipe} sends them to `bytes`. */
  | { readonly kind: "open"; readonly bytes: MessagePort; readonly part: number }
  /** A piece of the result's text. */
  | { readonly kind: "piece"; readonly piece: string }
  | { readonly kind: "done"; readonly result: ThreadResult }
  | { readonly kind: "failed"; readonly code: ScanErrorCode | undefined; readonly message: string };

/** The result of a task, without its text. */
export type ThreadResult =
  | { readonly kind: "layer"; readonly read: Omit<ReadLayer, "record">; readonly head: RecordHead }
  | { readonly kind: "folder"; readonly head: RecordHead }
  | { readonly kind: "together"; readonly head: RecordHead }
  /** The first pieces are the report; the others are its records for the reverse index. */
  | { readonly kind: "image"; readonly reportPieces: number; readonly apart: readonly FilesApart[] };

/** A record without its text. */
export type RecordHead = Omit<LayerRecord, "pieces">;
