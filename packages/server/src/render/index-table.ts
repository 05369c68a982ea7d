import { safeText } from "@plimsoll/core/internal/safe-text";
import { type IndexReport, isForDevelopment, type Package } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { type Column, layOutTable } from "./table.ts";

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
