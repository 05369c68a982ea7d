import type * as image from "@plimsoll/core/image";
import type { LayerReaders } from "@plimsoll/core/internal";
import type { ReportMaker } from "./make-report.ts";
import type { LayerRecord } from "./values/layer-record.ts";

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
