import { safeText } from "@plimsoll/core/internal/safe-text";
import type { Finding } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { type Column, layOutTable } from "./table.ts";

/** The least width of columns with names and versions. */
const leastText = 10;
const shownAliases = 2;

/** Findings as a table, one row each, in their order. If the table is too wide, packages and versions are shortened. */
export function scanTable(findings: readonly Finding[], palette: Palette, width?: number): Iterable<string> {
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
  const risks = riskColumns.filter(({ text }) => findings.some((finding) => text(finding) !== ""));
  const aliases: Column<Finding> = { title: "ALIASES", least: 0, text: aliasText };
  const haveAliases = width === undefined && findings.some(({ vulnerability }) => vulnerability.aliases.length > 0);
  return layOutTable([...columns, ...risks, ...(haveAliases ? [aliases] : [])], findings, width);
}

/** Columns that are shown if a finding has a value in them. */
const riskColumns: readonly Column<Finding>[] = [
  { title: "EPSS", least: Number.POSITIVE_INFINITY, text: ({ risk }) => percentText(risk.epss?.probability) },
  { title: "SCOPE", text: ({ isForDevelopment }) => (isForDevelopment === true ? "development" : "") },
  {
    title: "EXPLOITED",
    least: Number.POSITIVE_INFINITY,
    text: ({ risk }) => (risk.isExploited ? "yes" : ""),
  },
];

/** `97.2%`; small values as `<0.1%`. */
function percentText(probability: number | undefined): string {
  if (probability === undefined) return "";
  return probability < 0.001 ? "<0.1%" : `${(probability * 100).toFixed(1)}%`;
}

/** `XSA-229 DSA-4050-1 +1` */
function aliasText({ vulnerability: { aliases } }: Finding): string {
  const more = aliases.length > shownAliases ? ` +${aliases.length - shownAliases}` : "";
  return safeText(aliases.slice(0, shownAliases).join(" ")) + more;
}
