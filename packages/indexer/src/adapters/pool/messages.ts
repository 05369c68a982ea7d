/**
 * What a pool and its threads tell each other. A thread says "ready" once. Every task has a port of its own:
 *
 *     pool → thread   task ( abort ) ( digest )
 *     thread → pool   *open ( done / failed )
 */
import type { MessagePort } from "node:worker_threads";
import type { Digest, LayerFindings, Limits, ScanErrorCode } from "@plimsoll/core";
import type { ExpectedLayer, FileRange } from "../../image-source.ts";

/** What a thread is started with. */
export interface ThreadSetup {
  /** Names of detectors. */
  readonly detectors: readonly string[];
  readonly limits: Limits;
  /** Where the detectors are that do not come with the engine; see `EngineOptions.module`. */
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
  | { readonly kind: "folder"; readonly folder: string };

/** A reading and where to tell of it. */
export interface Task {
  readonly reading: Reading;
  readonly port: MessagePort;
}

/** What a thread is told about its task. */
export type ToThread = { readonly kind: "abort" } | { readonly kind: "digest"; readonly digest: Digest };

/** What a thread tells of its task. */
export type ToPool =
  /** The bytes are wanted from the beginning; `bytes` is where {@link writePipe} sends them. */
  | { readonly kind: "open"; readonly bytes: MessagePort }
  | { readonly kind: "done"; readonly result: PackedLayer }
  | { readonly kind: "failed"; readonly code: ScanErrorCode | undefined; readonly message: string };

/** A layer that was read, as plain data. */
export interface PackedLayer {
  readonly findings: PackedFindings;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly diffId?: Digest;
}

/** Findings with the path sets of the layer's shape as their hashes. */
export interface PackedFindings extends Omit<LayerFindings, "shape"> {
  readonly shape: Readonly<Record<keyof LayerFindings["shape"], Float64Array<ArrayBuffer>>>;
}
