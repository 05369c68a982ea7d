import {
  type Digest,
  type IndexReport,
  type Manifest,
  parseDigest,
  toVulnerabilityReportJson,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import type { MatchService } from "@plimsoll/matcher";
import type { ImageScanner, ScanOutcome } from "@plimsoll/registry-api";
import type { BlobLayers } from "./blob-layers.ts";

/** An indexer, in this process or another. */
export interface IndexSource {
  submit(manifest: Manifest, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  findReport(digest: Digest): Promise<IndexReport | undefined>;
}

/** A matcher, in this process or another. */
export interface ReportSource {
  report(digest: Digest, options?: { readonly signal?: AbortSignal }): Promise<VulnerabilityReportJson>;
}

/** A matcher of this process. */
export function localReports(matcher: MatchService): ReportSource {
  return { report: async (digest, options) => toVulnerabilityReportJson(await matcher.report(digest, options)) };
}

/** The services that say what is in images and what is wrong with them, in this process or another. */
export interface ScannerServices {
  readonly indexer: IndexSource;
  readonly matcher: ReportSource;
  readonly layers: BlobLayers;
}

/** The scanner as the registry uses it. */
export function imageScanner({ indexer, matcher, layers }: ScannerServices): ImageScanner {
  return {
    async index(image, options = {}) {
      const manifest: Manifest = {
        digest: image.digest,
        layers: image.layers.map(({ digest, mediaType }) => ({
          digest,
          mediaType,
          uri: layers.addressOf(digest),
          headers: {},
        })),
      };
      await indexer.submit(manifest, options);
    },
    async find(digest, options = {}): Promise<ScanOutcome> {
      const index = await indexer.findReport(parseDigest(digest));
      if (index?.state === "IndexError") return { status: "failed" };
      if (index?.state !== "IndexFinished") return { status: "queued" };
      return { status: "scanned", report: await matcher.report(index.manifestDigest, options) };
    },
  };
}
