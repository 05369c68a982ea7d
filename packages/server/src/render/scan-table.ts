import { compareSeverity, type Finding, type Severity } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { type Column, layOutTable } from "./table.ts";
import { safeText } from "./terminal-text.ts";

/** One row: a package and the version that mends all of `findings`. */
interface Row {
  readonly name: string;
  readonly version: string;
  readonly fix: string;
  readonly worst: Severity;
  readonly ids: string;
}

/** Findings as a table, one row per package and fix, worst first. */
export function scanTable(findings: readonly Finding[], palette: Palette, width?: number): Iterable<string> {
  const groups = Map.groupBy(findings, (finding) =>
    [finding.package.name, finding.package.version, finding.package.arch, finding.fixedIn].join("\0"),
  );
  const rows = [...groups.values()].map(rowOf).sort(byUrgency);
  const columns: readonly Column<Row>[] = [
    { title: "PACKAGE", text: (row) => row.name, style: (text) => palette.strong(text) },
    { title: "INSTALLED", text: (row) => row.version },
    { title: "FIXED IN", text: (row) => row.fix },
    { title: "WORST", text: (row) => row.worst, style: (text, row) => palette.severity(text, row.worst) },
    { title: "VULNERABILITIES", text: (row) => row.ids },
  ];
  return layOutTable(columns, rows, width);
}

const shownIds = 3;
const shownAliases = 2;

function rowOf(group: readonly Finding[]): Row {
  const [first] = group;
  const worstFirst = group.toSorted((a, b) => compareSeverity(b.severity, a.severity) || (a.id < b.id ? -1 : 1));
  const ids = worstFirst.slice(0, shownIds).map((finding) => safeText(namesOf(finding)));
  const more = group.length > shownIds ? ` (+${group.length - shownIds})` : "";
  return {
    name: safeText(first?.package.name ?? ""),
    version: safeText(first?.package.version ?? ""),
    fix: safeText(first?.fixedIn ?? "no fix"),
    worst: worstFirst[0]?.severity ?? "Unknown",
    ids: ids.join(" ") + more,
  };
}

/** `CVE-2017-12134 [XSA-229]` */
function namesOf({ id, vulnerability: { aliases } }: Finding): string {
  if (aliases.length === 0) return id;
  const more = aliases.length > shownAliases ? ` +${aliases.length - shownAliases}` : "";
  return `${id} [${aliases.slice(0, shownAliases).join(" ")}${more}]`;
}

function byUrgency(a: Row, b: Row): number {
  return compareSeverity(b.worst, a.worst) || compareText(a.name, b.name) || compareText(a.fix, b.fix);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
