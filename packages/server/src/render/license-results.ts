import { safeText } from "@plimsoll/core/internal/safe-text";
import type { IndexedImage, Package } from "@plimsoll/scanner";
import type { LicenseFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import type { Palette } from "./colour.ts";
import { prettyJson } from "./json.ts";
import { type Column, layOutTable } from "./table.ts";
import { counted } from "./terminal-text.ts";

/** Whether a package keeps the rules: `unknown` if it states no licence that they can be applied to. */
export type LicenseVerdict = "kept" | "broken" | "unknown";

/** A package, its licence and what the rules say about it. */
export interface LicensedPackage {
  readonly image: IndexedImage;
  readonly package: Package;
  /** An SPDX expression; absent where the package states nothing. */
  readonly expression?: string;
  /** What files say about it. */
  readonly statements: readonly { readonly text: string; readonly path: string }[];
  /** Absent without rules. */
  readonly verdict?: LicenseVerdict;
}

/** The images of the result, and its colours. */
interface LicenseView {
  readonly palette: Palette;
  readonly images: readonly IndexedImage[];
}

/** The renderers for the licences of packages. JSON is a list. */
export function licenseRenderers(
  rows: readonly LicensedPackage[],
  { palette, images }: LicenseView,
): Renderers<LicenseFormat> {
  return {
    table: ({ width }) => [...tableLines(rows, { palette, images, width })],
    json: () => [prettyJson(rows.map(toJson))],
    ndjson: () => rows.map((row) => JSON.stringify(toJson(row))),
  };
}

const leastText = 10;

function* tableLines(
  rows: readonly LicensedPackage[],
  { palette, images, width }: LicenseView & { readonly width: number | undefined },
): Iterable<string> {
  const columns: readonly Column<LicensedPackage>[] = [
    ...(images.length > 1 ? [{ title: "IMAGE", text: ({ image }: LicensedPackage) => safeText(image.reference) }] : []),
    {
      title: "PACKAGE",
      least: leastText,
      text: (row) => safeText(row.package.name),
      style: (text) => palette.strong(text),
    },
    { title: "VERSION", least: leastText, text: (row) => safeText(row.package.version) },
    { title: "LICENSE", least: leastText, text: ({ expression = "not stated" }) => safeText(expression) },
    { title: "RULES", text: ({ verdict = "kept" }) => (verdict === "kept" ? "" : verdict) },
    { title: "STATED IN", least: leastText, text: ({ statements: [first] }) => safeText(first?.path ?? "") },
  ];
  if (rows.length > 0) yield* layOutTable(columns.filter(isUsed(rows)), rows, width);
  const stated = rows.filter(({ expression }) => expression !== undefined).length;
  yield `${counted(rows.length, "package")}, ${stated} of them with a stated licence`;
}

/** Without rules, none is broken. */
function isUsed(rows: readonly LicensedPackage[]) {
  return ({ title }: Column<LicensedPackage>) =>
    title !== "RULES" || rows.some(({ verdict = "kept" }) => verdict !== "kept");
}

function toJson({ image, package: found, expression, statements, verdict }: LicensedPackage): object {
  return {
    image: image.reference,
    package: found.name,
    version: found.version,
    license: expression,
    statements,
    rules: verdict,
  };
}
