import { toCoveredIndexReportJson } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { formatPlatform, type IndexedImage, type IndexReport, isForDevelopment, type Package } from "@plimsoll/scanner";
import {
  type GitHubStamp,
  toCycloneDx,
  toCycloneDxXml,
  toGitHubSnapshot,
  toSpdx,
  toSpdx3,
} from "@plimsoll/scanner/formats";
import type { IndexFormat, SbomFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { indexFooter } from "./footer.ts";
import { imageHeader } from "./image-header.ts";
import { prettyJson } from "./json.ts";
import { type Column, layOutTable } from "./table.ts";

/** How index results are shown. */
interface IndexView {
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

/** The least width of columns with names and versions. */
const leastText = 10;

/** The packages of an image as a table. With a width, the column of the database is left out if all packages have the same one. */
export function indexTable(index: IndexReport, palette: Palette, width?: number): Iterable<string> {
  const databaseOf = ({ id }: Package) => safeText(index.environments[id]?.[0]?.packageDb ?? "");
  const isOfDevelopment = ({ id }: Package) => isForDevelopment(index, id);
  const scopeText = (row: Package) => (isOfDevelopment(row) ? "development" : "");
  const rows = Object.values(index.packages);
  const isRepeated = width !== undefined && new Set(rows.map(databaseOf)).size === 1;
  const columns: readonly Column<Package>[] = [
    { title: "PACKAGE", least: leastText, text: (row) => safeText(row.name), style: (text) => palette.strong(text) },
    { title: "VERSION", least: leastText, text: (row) => safeText(row.version) },
    { title: "ARCH", text: (row) => safeText(row.arch ?? "") },
    { title: "SOURCE", least: leastText, text: sourceText },
    ...(rows.some(isOfDevelopment) ? [{ title: "SCOPE", text: scopeText }] : []),
    ...(isRepeated ? [] : [{ title: "DATABASE", text: databaseOf }]),
  ];
  return layOutTable(columns, rows, width);
}

function sourceText({ name, version, source }: Package): string {
  if (source === undefined || (source.name === name && source.version === version)) return "";
  return safeText(source.version === version ? source.name : `${source.name} ${source.version}`);
}

/** How bills of materials are written. */
interface SbomView {
  /** Whether the user asked for every platform: JSON is then a list. */
  readonly several: boolean;
  readonly stamp: GitHubStamp;
}

/** The renderers for bills of materials. JSON is the contract's `index_report` with an additional member `coverage`. */
export function sbomRenderers(images: readonly IndexedImage[], { several, stamp }: SbomView): Renderers<SbomFormat> {
  const reported = images.map(({ report, ...about }) => ({ ...about, index: report }));
  const reports = images.map(({ report }) => toCoveredIndexReportJson(report));
  return {
    json: () => [prettyJson(several ? reports : reports[0])],
    cyclonedx: () => reported.map((image) => prettyJson(toCycloneDx(image, stamp))),
    "cyclonedx@1.7": () => reported.map((image) => prettyJson(toCycloneDx(image, stamp, "1.7"))),
    "cyclonedx-xml": () => reported.map((image) => toCycloneDxXml(image, stamp)),
    "cyclonedx-xml@1.7": () => reported.map((image) => toCycloneDxXml(image, stamp, "1.7")),
    github: () => reported.map((image) => prettyJson(toGitHubSnapshot(image, stamp))),
    spdx: () => reported.map((image) => prettyJson(toSpdx(image, stamp))),
    "spdx@3.0.1": () => reported.map((image) => prettyJson(toSpdx3(image, stamp))),
  };
}
