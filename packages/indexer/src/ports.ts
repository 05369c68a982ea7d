import type { Bytes } from "@plimsoll/core";
import type * as image from "@plimsoll/core/image";
import type { LayerReaders, ManifestLayer } from "@plimsoll/core/internal";
import type { ReportMaker } from "./make-report.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/**
 * Fetches the bytes of a layer from its address, from the beginning on each call. The bytes are not checked.
 * Iterating throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `not_permitted`, `timed_out`, `aborted`.
 */
export type FetchLayer = (layer: ManifestLayer, signal?: AbortSignal) => Bytes;

/** Waits. It resolves or rejects early when the signal is aborted. */
export type Sleep = (delayMs: number, signal?: AbortSignal) => Promise<unknown>;

/** Reads one layer into a record of its findings. */
export type LayerReader = LayerReaders<LayerRecord>["readLayer"];
/** Reads a folder into a record of its findings. */
export type FolderReader = LayerReaders<LayerRecord>["readFolder"];
/** Reads files of several layers together into a record of their findings. */
export type TogetherReader = LayerReaders<LayerRecord>["readTogether"];
/** A layer that was read into a record. */
export type ReadLayer = Awaited<ReturnType<LayerReader>>;
/** A cache of layer records. */
export type LayerCache = image.LayerCache<LayerRecord>;

/** Reads layers and makes reports, with the detectors and matchers of one engine. */
export interface ImageReaders extends LayerReaders<LayerRecord> {
  readonly makeReport: ReportMaker;
}
