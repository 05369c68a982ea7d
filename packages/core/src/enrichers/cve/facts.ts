import { isObject } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import { cveType } from "../enrichment-types.ts";
import type { CveFacts } from "./cve-record.ts";

/**
 * The facts of the CVE list in the enrichments of a report, by vulnerability id. Malformed facts are left out, because a report may come from
 * another scanner.
 * @example
 * declare const report: VulnerabilityReport;
 * const weaknesses = [...cveFactsOf(report.enrichments).values()].flat().flatMap(({ cwes }) => cwes);
 */
export function cveFactsOf(
  enrichments: Readonly<Record<string, readonly Json[]>>,
): ReadonlyMap<string, readonly CveFacts[]> {
  const [byId] = enrichments[cveType] ?? [];
  if (!isObject(byId)) return new Map();
  return new Map(
    Object.entries(byId).map(([id, records]) => [id, Array.isArray(records) ? records.flatMap(parseFacts) : []]),
  );
}

function parseFacts(record: Json): readonly CveFacts[] {
  if (!isObject(record) || typeof record.cve !== "string") return [];
  if (record.state !== "PUBLISHED" && record.state !== "REJECTED") return [];
  const text = (name: "assigner" | "title" | "description") => {
    const value = record[name];
    return typeof value === "string" ? { [name]: value } : {};
  };
  return [
    {
      cve: record.cve,
      state: record.state,
      ...text("assigner"),
      ...text("title"),
      ...text("description"),
      cwes: textsOf(record.cwes).filter((cwe) => /^CWE-\d{1,6}$/.test(cwe)),
      references: textsOf(record.references),
    },
  ];
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
