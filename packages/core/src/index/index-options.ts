import type { Digest } from "../model/digest.ts";
import type { ImageConfig } from "../model/image-manifest.ts";
import type { IndexReport } from "../model/index-report.ts";
import type { Platform } from "../model/platform.ts";

/** Options of indexing. */
export interface IndexOptions {
  /** The platform of the image; `"all"` for every image of the source. */
  readonly platform?: Platform | "all";
  /** The platform to choose among several images where `platform` is absent. */
  readonly preferredPlatform?: Platform;
  readonly onEvent?: (event: IndexEvent) => void;
  readonly signal?: AbortSignal;
}

/** Progress of indexing. */
export type IndexEvent =
  | { readonly kind: "image-opened"; readonly reference: string; readonly layers: number }
  | { readonly kind: "layer-known"; readonly digest: Digest }
  | { readonly kind: "layer-reading"; readonly digest: Digest; readonly sizeBytes?: number }
  | { readonly kind: "layer-read"; readonly digest: Digest; readonly uncompressedBytes: number };

/** One image with its index report. */
export interface IndexedImage {
  /** The source's name. */
  readonly source: string;
  /** The name the image goes by in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** Set if it is a folder or a file, or a bill of materials of one, and not the image of a container. */
  readonly isFolder?: true;
  readonly report: IndexReport;
}
