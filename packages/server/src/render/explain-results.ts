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

function toJson({ question, answer, records, problems, unassessed, uncovered, undecided }: Explanation): object {
  return {
    vulnerability: question.vulnerability,
    package: question.packageName,
    answer,
    packages: records.map(toRecordJson),
    problems,
    unassessed,
    uncovered,
    undecided,
  };
}

function toRecordJson(explained: Explanation["records"][number]): object {
  const { record, answer, missing, keys, feeds, judgements, statements } = explained;
  const { name, version, source } = record.package;
  const candidates = candidatesOf(record);
  const otherIdentities = otherIdentitiesOf(record);
  return {
    name,
    version,
    source: source && { name: source.name, version: source.version },
    package_db: record.packageDb,
    introduced_in: record.introducedIn,
    answer,
    not_known: missing.length > 0 ? missing : undefined,
    candidates: candidates.length > 0 ? candidates : undefined,
    other_identities: otherIdentities.length > 0 ? otherIdentities : undefined,
    looked_up: keys.map(({ ecosystem, name }) => ({ ecosystem, name })),
    feeds: feeds.map(({ ecosystem, covered }) => ({ ecosystem, covered })),
    advisories: judgements.map(({ advisory, verdict, steps }) => ({
      id: advisory.id,
      name: advisory.name,
      verdict: verdict.kind,
      reason: verdict.kind !== "affected" ? verdict.reason : undefined,
      steps: steps.map(({ rule, detail }) => ({ rule, detail })),
    })),
    statements: statements.map(({ advisory, statement, isExpired }) => ({
      advisory: advisory.id,
      status: statement.status,
      justification: statement.justification,
      detail: statement.detail,
      author: statement.author,
      expires: statement.expiresAt === undefined ? undefined : new Date(statement.expiresAt).toISOString(),
      place: statement.place,
      is_expired: isExpired,
    })),
  };
}
