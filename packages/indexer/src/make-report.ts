import { coalesce, type Digest, type Engine, type ImageLayer } from "@plimsoll/core";
import { formatReport } from "./values/format-report.ts";
import { recordsToIndex } from "./values/indexed-records.ts";
import { type LayerRecord, parseLayerRecord } from "./values/layer-record.ts";
import type { TextPieces } from "./values/text-pieces.ts";

/** One layer of an image on its way into a report, base first. */
export type RecordedLayer =
  | { readonly status: "read"; readonly record: LayerRecord }
  | Extract<ImageLayer, { readonly status: "foreign" }>;

/** An image whose layers were read. */
export interface RecordedImage {
  readonly manifestDigest: Digest;
  /** Base first. */
  readonly layers: readonly RecordedLayer[];
  /** `index`: what the report is looked for by is wanted too. */
  readonly purpose: "report" | "index";
}

/** A report as text, see `format-report.ts`. */
export interface ReportRecord {
  readonly report: TextPieces;
  /** What the report is looked for by, see {@link recordsToIndex}; nothing where it was not wanted. */
  readonly records: TextPieces;
}

/**
 * Makes the index report of an image.
 * @throws ScanError `layer_too_costly`, `aborted`
 */
export type ReportMaker = (image: RecordedImage, options?: { readonly signal?: AbortSignal }) => Promise<ReportRecord>;

/** Makes reports in the thread that calls. */
export function reportMakerFor(engine: Engine): ReportMaker {
  return async ({ manifestDigest, layers, purpose }) => {
    const read = layers.map(
      (layer): ImageLayer =>
        layer.status === "read" ? { status: "read", findings: parseLayerRecord(layer.record) } : layer,
    );
    return recordReport(engine, { manifestDigest, layers: read, purpose });
  };
}

/** An image whose layers' findings are there. */
export interface FoundImage extends Omit<RecordedImage, "layers"> {
  readonly layers: readonly ImageLayer[];
}

/** Makes the report and writes it down. */
export function recordReport(engine: Engine, { manifestDigest, layers, purpose }: FoundImage): ReportRecord {
  const report = coalesce(engine, manifestDigest, layers);
  const records = purpose === "index" ? recordsToIndex(engine, report).records : [];
  return { report: formatReport(report), records };
}
