import { formatPlatform, type IndexedImage, isForDevelopment } from "@plimsoll/scanner";
import type { GitHubStamp } from "@plimsoll/scanner/formats";
import type { IndexFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { indexFooter } from "./footer.ts";
import { imageHeader } from "./image-header.ts";
import { indexTable } from "./index-table.ts";
import { sbomRenderers } from "./sbom-results.ts";

/** How index results are shown. */
export interface IndexView {
  readonly palette: Palette;
  /** Whether the user asked for every platform: JSON is then a list. */
  readonly several: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly stamp: GitHubStamp;
}

/** The renderers for index results. JSON is the contract's `index_report` with an additional member `coverage`. */
export function indexRenderers(images: readonly IndexedImage[], view: IndexView): Renderers<IndexFormat> {
  return {
    table: ({ width }) =>
      images.flatMap((image, index) => [...(index === 0 ? [] : [""]), ...imageTable(image, view, width)]),
    ...sbomRenderers(images, view),
    ndjson: () => images.flatMap((image) => [...imageLines(image)]).map((line) => JSON.stringify(line)),
  };
}

function* imageTable(image: IndexedImage, { palette, now }: IndexView, width: number | undefined): Iterable<string> {
  yield* imageHeader({ ...image, index: image.report }, { palette, now });
  if (Object.keys(image.report.packages).length > 0) {
    yield* indexTable(image.report, palette, width);
    yield "";
  }
  yield* indexFooter(image.report.coverage, image.report.packages);
}

function* imageLines({ source, reference, platform, report }: IndexedImage): Iterable<object> {
  yield {
    kind: "image",
    source,
    reference,
    platform: platform && formatPlatform(platform),
    manifest: report.manifestDigest,
  };
  for (const found of Object.values(report.packages)) {
    const { packageDb, introducedIn } = report.environments[found.id]?.[0] ?? {};
    yield {
      kind: "package",
      package: found.name,
      version: found.version,
      arch: found.arch,
      source: found.source?.name,
      source_version: found.source?.version,
      module: found.module,
      scope: isForDevelopment(report, found.id) ? "development" : undefined,
      package_db: packageDb,
      introduced_in: introducedIn,
    };
  }
  yield { kind: "coverage", ...report.coverage };
}
