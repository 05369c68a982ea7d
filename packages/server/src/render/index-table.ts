import type { IndexReport, Package } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { type Column, layOutTable } from "./table.ts";
import { safeText } from "./terminal-text.ts";

/** The packages of an image as a table, by name. */
export function indexTable(index: IndexReport, palette: Palette, width?: number): Iterable<string> {
  const columns: readonly Column<Package>[] = [
    { title: "PACKAGE", text: (row) => safeText(row.name), style: (text) => palette.strong(text) },
    { title: "VERSION", text: (row) => safeText(row.version) },
    { title: "ARCH", text: (row) => safeText(row.arch ?? "") },
    { title: "SOURCE", text: sourceText },
    { title: "DATABASE", text: (row) => safeText(index.environments[row.id]?.[0]?.packageDb ?? "") },
  ];
  return layOutTable(columns, Object.values(index.packages), width);
}

function sourceText({ name, version, source }: Package): string {
  if (source === undefined || (source.name === name && source.version === version)) return "";
  return safeText(source.version === version ? source.name : `${source.name} ${source.version}`);
}
