import { safeText } from "@plimsoll/core/internal/safe-text";
import type { AffectedImage, AffectedImages, Finding } from "@plimsoll/scanner";
import { type FindingFilter, passes } from "../cli/finding-filter.ts";
import type { AffectedFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { prettyJson } from "./json.ts";
import { type Column, layOutTable } from "./table.ts";
import { counted } from "./terminal-text.ts";

/** The filter and the colours of the result. */
export interface AffectedView {
  readonly show: FindingFilter;
  readonly palette: Palette;
}

/** The renderers for the images that have a vulnerability. */
export function affectedRenderers(answer: AffectedImages, view: AffectedView): Renderers<AffectedFormat> {
  const rows = answer.images.flatMap((image) => rowsOf(image, view.show));
  return {
    table: ({ width }) => [...tableLines(answer, rows, { palette: view.palette, width })],
    json: () => [prettyJson(toJson(answer, rows))],
    ndjson: () => rows.map(({ image, ...row }) => JSON.stringify({ ...imageJson(image), ...rowJson(row) })),
  };
}

/** An affected package of an image. */
interface AffectedRow {
  readonly image: AffectedImage;
  readonly status: "affected" | "undecided";
  readonly id: string;
  readonly package: { readonly name: string; readonly version: string };
  readonly finding?: Finding;
}

function rowsOf(image: AffectedImage, show: FindingFilter): readonly AffectedRow[] {
  const { vulnerabilities } = image.report;
  const findings = image.report.findings().filter((finding) => passes(show, finding));
  return [
    ...findings.map((finding) => ({
      image,
      status: "affected" as const,
      id: finding.id,
      package: finding.package,
      finding,
    })),
    ...vulnerabilities.undecided.flatMap(({ packageId, name }) => {
      const found = vulnerabilities.packages[packageId];
      return found === undefined ? [] : [{ image, status: "undecided" as const, id: name, package: found }];
    }),
  ];
}

const leastText = 10;

function* tableLines(
  { names, images, indexedCount }: AffectedImages,
  rows: readonly AffectedRow[],
  { palette, width }: Pick<AffectedView, "palette"> & { readonly width: number | undefined },
): Iterable<string> {
  const [asked = "", ...others] = names;
  yield palette.strong(safeText(asked)) +
    (others.length === 0 ? "" : palette.quiet(safeText(` (${others.join(", ")})`)));
  yield `${images.length} of ${counted(indexedCount, "indexed image")}`;
  if (rows.length === 0) return;
  yield "";
  yield* layOutTable(columnsWith(palette), rows, width);
}

function columnsWith(palette: Palette): readonly Column<AffectedRow>[] {
  return [
    { title: "IMAGE", least: leastText, text: ({ image }) => safeText(image.report.source) },
    { title: "PACKAGE", least: leastText, text: (row) => safeText(row.package.name) },
    { title: "INSTALLED", least: leastText, text: (row) => safeText(row.package.version) },
    { title: "FIXED IN", least: leastText, text: fixText },
    {
      title: "SEVERITY",
      text: ({ finding }) => finding?.severity ?? "",
      style: (text, { finding }) => (finding === undefined ? text : palette.severity(text, finding.severity)),
    },
    { title: "STATUS", least: Number.POSITIVE_INFINITY, text: ({ status }) => status },
    {
      title: "SCANNED",
      least: Number.POSITIVE_INFINITY,
      text: ({ image }) => new Date(image.indexedAt).toISOString().slice(0, 16),
    },
  ];
}

function fixText({ finding, status }: AffectedRow): string {
  return status === "undecided" ? "" : safeText(finding?.fixedIn ?? "no fix");
}

function toJson(answer: AffectedImages, rows: readonly AffectedRow[]): object {
  const { names, isKnown, indexedCount, outdatedCount, undecidedPackages, feeds } = answer;
  const byImage = Map.groupBy(rows, ({ image }) => image);
  return {
    vulnerability: names[0],
    names,
    known: isKnown,
    indexed_images: indexedCount,
    outdated_images: outdatedCount,
    undecided_packages: undecidedPackages,
    uncovered: feeds.filter(({ covered }) => !covered).map(({ ecosystem }) => ecosystem),
    images: [...byImage].map(([image, found]) => ({ ...imageJson(image), packages: found.map(rowJson) })),
  };
}

function imageJson({ names, indexedAt, isOutdated, report }: AffectedImage): object {
  return {
    image: report.source,
    names,
    digest: report.vulnerabilities.manifestDigest,
    indexed_at: new Date(indexedAt).toISOString(),
    outdated: isOutdated,
  };
}

function rowJson({ status, id, package: { name, version }, finding }: Omit<AffectedRow, "image">): object {
  return {
    package: name,
    installed: version,
    fixed_in: finding?.fixedIn,
    status,
    vulnerability: id,
    aliases: finding?.vulnerability.aliases,
    severity: finding?.severity,
    package_db: finding?.packageDb,
    layer: finding?.layer,
  };
}
