import { candidatesOf, type Explanation, formatExplanation, otherIdentitiesOf } from "@plimsoll/scanner";
import type { ExplainFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import { prettyJson } from "./json.ts";

/** The renderers for explanations. JSON is one document, or a list for several images; NDJSON has one line for each. */
export function explainRenderers(
  explanations: readonly Explanation[],
  { several }: { readonly several: boolean },
): Renderers<ExplainFormat> {
  const [first] = explanations;
  return {
    table: () => explanations.flatMap((each) => formatExplanation(each).split("\n")),
    json: () => [prettyJson(several || first === undefined ? explanations.map(toJson) : toJson(first))],
    ndjson: () => explanations.map((each) => JSON.stringify(toJson(each))),
  };
}

function toJson({ question, answer, records, problems, unassessed, uncovered }: Explanation): object {
  return {
    vulnerability: question.vulnerability,
    ...(question.packageName !== undefined && { package: question.packageName }),
    answer,
    packages: records.map(toRecordJson),
    problems,
    unassessed,
    uncovered,
  };
}

function toRecordJson({ record, answer, keys, feeds, judgements, statements }: Explanation["records"][number]): object {
  const { name, version, source } = record.package;
  const candidates = candidatesOf(record);
  const otherIdentities = otherIdentitiesOf(record);
  return {
    name,
    version,
    ...(source !== undefined && { source: { name: source.name, version: source.version } }),
    package_db: record.packageDb,
    ...(record.introducedIn !== undefined && { introduced_in: record.introducedIn }),
    answer,
    ...(candidates.length > 0 && { candidates }),
    ...(otherIdentities.length > 0 && { other_identities: otherIdentities }),
    looked_up: keys.map(({ ecosystem, name }) => ({ ecosystem, name })),
    feeds: feeds.map(({ ecosystem, covered }) => ({ ecosystem, covered })),
    advisories: judgements.map(({ advisory, verdict, steps }) => ({
      id: advisory.id,
      name: advisory.name,
      verdict: verdict.kind,
      ...(verdict.kind !== "affected" && { reason: verdict.reason }),
      steps: steps.map(({ rule, detail }) => ({ rule, detail })),
    })),
    statements: statements.map(({ advisory, statement, isExpired }) => ({
      advisory: advisory.id,
      status: statement.status,
      ...(statement.justification !== undefined && { justification: statement.justification }),
      ...(statement.detail !== undefined && { detail: statement.detail }),
      ...(statement.author !== undefined && { author: statement.author }),
      ...(statement.expiresAt !== undefined && { expires: new Date(statement.expiresAt).toISOString() }),
      place: statement.place,
      is_expired: isExpired,
    })),
  };
}
