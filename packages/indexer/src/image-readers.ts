import type * as core from "@plimsoll/core";
import type { ReportMaker } from "./make-report.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/** Reads one layer into a record of what was found. */
export type LayerReader = core.LayerReader<LayerRecord>;
/** Reads a folder into a record of what was found. */
export type FolderReader = core.FolderReader<LayerRecord>;
/** A layer that was read into a record. */
export type ReadLayer = core.ReadLayer<LayerRecord>;
/** Keeps records of layers. */
export type LayerCache = core.LayerCache<LayerRecord>;

/** Reads layers and makes reports of what they hold, with the plug-ins of one engine. */
export interface ImageReaders extends core.LayerReaders<LayerRecord> {
  readonly makeReport: ReportMaker;
}
