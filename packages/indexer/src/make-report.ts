import type { Engine } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import {
  coalesce,
  type FilesApart,
  filesApart,
  type ImageLayer,
  type JoinedFiles,
  joinFiles,
} from "@plimsoll/core/internal";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";
import { type LayerRecord, parseLayerRecord } from "./values/layer-record.ts";
import type { TextPieces } from "./values/text-pieces.ts";

/** A layer of an image that a report is made of. */
export type RecordedLayer =
  | { readonly status: "read"; readonly record: LayerRecord }
  | Extract<ImageLayer, { readonly status: "foreign" }>;

/** An image whose layers were read into records. */
export interface RecordedImage {
  readonly manifestDigest: Digest;
  /** Base first. */
  readonly layers: readonly RecordedLayer[];
  /** Files of different layers that were read together; absent if there are none. */
  readonly joined?: readonly JoinedFiles<LayerRecord>[];
  /** `index`: the records for the reverse index are made too. */
  readonly purpose: "report" | "index";
}

/** A report as text, see `format-report.ts`. */
export interface ReportRecord {
  readonly report: TextPieces;
  /** The records for the reverse index, see {@link recordsToIndex}; empty unless the purpose is `index`. */
  readonly records: TextPieces;
  /** Files of different layers that belong together: the report would be better if they were read together. */
  readonly apart: readonly FilesApart[];
}

/**
 * Makes the index report of an image.
 * @throws ScanError `layer_too_costly`, `aborted`
 */
export type ReportMaker = (image: RecordedImage, options?: { readonly signal?: AbortSignal }) => Promise<ReportRecord>;

/** Makes reports in the calling thread. */
export function reportMakerFor(engine: Engine): ReportMaker {
  return async ({ layers, joined = [], ...image }) => {
    const read = layers.map(
      (layer): ImageLayer =>
        layer.status === "read" ? { status: "read", findings: parseLayerRecord(layer.record) } : layer,
    );
    const together = joined.map(({ files, record }) => ({ files, record: parseLayerRecord(record) }));
    return recordReport(engine, { ...image, layers: read, joined: together });
  };
}

/** An image with the findings of its layers. */
export interface FoundImage extends Pick<RecordedImage, "manifestDigest" | "purpose"> {
  readonly layers: readonly ImageLayer[];
  readonly joined: readonly JoinedFiles[];
}

/** Makes the report of an image and formats it as text. */
export function recordReport(engine: Engine, { manifestDigest, layers, joined, purpose }: FoundImage): ReportRecord {
  const report = coalesce(engine, manifestDigest, joinFiles(layers, joined));
  const records = purpose === "index" ? recordsToIndex(engine, report).records : [];
  return { report: formatReport(report), records, apart: filesApart(layers).apart };
}
