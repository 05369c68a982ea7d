import type * as core from "@plimsoll/core/image";
import type { ReportMaker } from "./make-report.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/** Reads one layer into a record of its findings. */
export type LayerReader = core.LayerReader<LayerRecord>;
/** Reads a folder into a record of its findings. */
export type FolderReader = core.FolderReader<LayerRecord>;
/** Reads files of several layers together into a record of their findings. */
export type TogetherReader = core.TogetherReader<LayerRecord>;
/** A layer that was read into a record. */
export type ReadLayer = core.ReadLayer<LayerRecord>;
/** A cache of layer records. */
export type LayerCache = core.LayerCache<LayerRecord>;

/** Reads layers and makes reports, with the detectors and matchers of one engine. */
export interface ImageReaders extends core.LayerReaders<LayerRecord> {
  readonly makeReport: ReportMaker;
}
