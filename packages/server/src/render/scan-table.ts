import { safeText } from "@plimsoll/core/safe-text";
import { compareSeverity, type Finding } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { type Column, layOutTable } from "./table.ts";

/** Package names and versions are cut to no less. */
const leastText = 10;
const shownAliases = 2;

/** Findings as a table, one row each, worst first. Where the width does not suffice, packages and versions are cut. */
export function scanTable(findings: readonly Finding[], palette: Palette, width?: number): Iterable<string> {
  const rows = findings.toSorted(byUrgency);
  const columns: readonly Column<Finding>[] = [
    { title: "VULNERABILITY", text: ({ id }) => safeText(id), style: (text) => palette.strong(text) },
    { title: "PACKAGE", least: leastText, text: (finding) => safeText(finding.package.name) },
    { title: "INSTALLED", least: leastText, text: (finding) => safeText(finding.package.version) },
    { title: "FIXED IN", least: leastText, text: ({ fixedIn }) => safeText(fixedIn ?? "no fix") },
    {
      title: "SEVERITY",
      least: Number.POSITIVE_INFINITY,
      text: ({ severity }) => severity,
      style: (text, { severity }) => palette.severity(text, severity),
    },
  ];
  const aliases: Column<Finding> = { title: "ALIASES", least: 0, text: aliasText };
  const haveAliases = width === undefined && findings.some(({ vulnerability }) => vulnerability.aliases.length > 0);
  return layOutTable(haveAliases ? [...columns, aliases] : columns, rows, width);
}

/** `XSA-229 DSA-4050-1 +1` */
function aliasText({ vulnerability: { aliases } }: Finding): string {
  const more = aliases.length > shownAliases ? ` +${aliases.length - shownAliases}` : "";
  return safeText(aliases.slice(0, shownAliases).join(" ")) + more;
}

function byUrgency(a: Finding, b: Finding): number {
  return (
    compareSeverity(b.severity, a.severity) ||
    compareText(a.package.name, b.package.name) ||
    compareText(a.package.version, b.package.version) ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
