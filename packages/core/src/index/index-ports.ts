import type { Engine } from "../engine.ts";
import type { ForeignLayer, FoundInLayer, LayerReaders } from "../image/image-source.ts";
import type { Digest } from "../model/digest.ts";
import type { FilesApart } from "./files-apart.ts";
import type { JoinedFiles } from "./join-files.ts";
import type { LayerCache } from "./layer-cache.ts";

/** Interfaces that reading the layers of an image needs. */
export interface LayerPorts<Found extends FoundInLayer> {
  readonly engine: Pick<Engine, "limits" | "state">;
  /** Reads layers with the engine's detectors. */
  readonly readers: Pick<LayerReaders<Found>, "readLayer">;
  readonly cache: LayerCache<Found>;
  /** The number of layers that are read at the same time. */
  readonly layersAtOnce: number;
  /** Prevents that several processes read the same layer at once; absent where there is only one. */
  readonly singleFlight?: LayerSingleFlight<Found>;
}

/** Interfaces that indexing an image needs. */
export interface IndexPorts<Found extends FoundInLayer, Made extends MadeReport> extends LayerPorts<Found> {
  /** Also reads files that belong together and are in different layers. */
  readonly readers: Pick<LayerReaders<Found>, "readLayer" | "readTogether">;
  makeReport(image: ReadImage<Found>, options?: { readonly signal?: AbortSignal }): Promise<Made>;
}

/** A report, and what has to be read for a better one. */
export interface MadeReport {
  /** Files of different layers that belong together and were not read together. */
  readonly apart: readonly FilesApart[];
}

/** An image whose layers were read. */
export interface ReadImage<Found extends FoundInLayer> {
  readonly manifestDigest: Digest;
  /** Base first. */
  readonly layers: readonly ReadImageLayer<Found>[];
  /** Files of different layers that were read together. */
  readonly joined: readonly JoinedFiles<Found>[];
}

/** One layer of an image, with its findings if it was read. */
export type ReadImageLayer<Found extends FoundInLayer> =
  | { readonly status: "read"; readonly record: Found }
  | ({ readonly status: "foreign" } & Pick<ForeignLayer, "digest" | "message">);

/**
 * Reads a layer, or waits while another process reads it and returns that process's findings.
 * @param layer `find` returns findings that are stored by now; `read` reads the layer until its signal is aborted
 */
export type LayerSingleFlight<Found extends FoundInLayer> = (layer: {
  readonly digest: Digest;
  find(): Promise<Found | undefined>;
  read(signal: AbortSignal): Promise<Found>;
  readonly signal: AbortSignal;
}) => Promise<Found>;
