import type { Vulnerability } from "@plimsoll/core";
import type { Severity } from "@plimsoll/core/severity";
import { remedyText } from "./finding-texts.ts";
import { cvssRatings, type ImageFinding, type SuppressedFinding, weaknessesOf } from "./image-findings.ts";
import { markdownText } from "./markdown-text.ts";
import { webLinks } from "./web-links.ts";

/** A rule of SARIF: a vulnerability. */
export interface SarifRule {
  readonly id: string;
}

/** The lengths that GitHub shows; longer texts are truncated. */
const [shortLength, fullLength] = [1024, 10_000];

/** The limit for a rule. GitHub accepts twenty tags, and a rule has others. */
const maxWeaknesses = 15;

/** The scores that represent severities without a CVSS score, in the ranges that GitHub uses. */
const usualScores: Readonly<Record<Severity, string | undefined>> = {
  Unknown: undefined,
  Negligible: "0.1",
  Low: "3.9",
  Medium: "6.9",
  High: "8.9",
  Critical: "10.0",
};

/** SARIF's level of a severity. */
export function levelOf(severity: Severity): "error" | "warning" | "note" {
  switch (severity) {
    case "Critical":
    case "High":
      return "error";
    case "Medium":
    case "Unknown":
      return "warning";
    default:
      return "note";
  }
}

/** The id of a vulnerability's rule. */
export function ruleId({ name }: Vulnerability): string {
  return name;
}

/** One rule for each name of a vulnerability, greatest risk first. */
export function listRules(
  findings: readonly ImageFinding[],
  suppressed: readonly SuppressedFinding[],
): readonly SarifRule[] {
  const byId = Map.groupBy(findings, ({ vulnerability }) => ruleId(vulnerability));
  const rules = new Map<string, SarifRule>([...byId].map(([id, of]) => [id, ruleOf(id, of)]));
  for (const { vulnerability } of suppressed) {
    const id = ruleId(vulnerability);
    if (!rules.has(id)) rules.set(id, bareRule(id, vulnerability));
  }
  return [...rules.values()];
}

function ruleOf(id: string, findings: readonly ImageFinding[]): SarifRule {
  const [first] = findings as readonly [ImageFinding];
  const { vulnerability, severity } = first;
  const score = securityScore(first);
  const weaknesses = weaknessesOf(findings.flatMap(({ cves }) => cves)).slice(0, maxWeaknesses);
  return {
    ...bareRule(id, vulnerability),
    ...{ help: helpOf(vulnerability, [...new Set(findings.map(remedyText))]) },
    ...{ defaultConfiguration: { level: levelOf(severity) } },
    ...{
      properties: {
        tags: ["security", "vulnerability", severity.toLowerCase(), ...weaknesses.map(weaknessTag)],
        precision: "very-high",
        "security-severity": score,
        aliases: vulnerability.aliases,
        cvss: cvssRatings(vulnerability).map(({ vector, score: of, source }) => ({ vector, score: of, source })),
      },
    },
  };
}

/** The form of tag that GitHub recognizes as a weakness. */
function weaknessTag(cwe: string): string {
  return `external/cwe/${cwe.toLowerCase()}`;
}

/** The CVSS score of the finding if it agrees with the severity that is shown, else the usual score of the severity. */
function securityScore({ severity, risk }: ImageFinding): string | undefined {
  const usual = usualScores[severity];
  if (usual === undefined) return risk.score?.toFixed(1);
  return risk.score !== undefined && severityOfScore(risk.score) === severity ? risk.score.toFixed(1) : usual;
}

/** @see https://www.first.org/cvss/v3.1/specification-document (section 5) */
function severityOfScore(score: number): Severity {
  if (score >= 9) return "Critical";
  if (score >= 7) return "High";
  if (score >= 4) return "Medium";
  return score >= 0.1 ? "Low" : "Negligible";
}

function bareRule(id: string, vulnerability: Vulnerability): SarifRule {
  const { description = `The advisory of ${vulnerability.updater} has no description.` } = vulnerability;
  const [link] = webLinks(vulnerability.links);
  const rule = {
    id,
    name: "VulnerablePackage",
    shortDescription: { text: `${id} in ${vulnerability.package.name}`.slice(0, shortLength) },
    fullDescription: { text: description.slice(0, fullLength) },
    helpUri: link,
  };
  return rule;
}

function helpOf(vulnerability: Vulnerability, remedies: readonly string[]): object {
  const { name, aliases, description = "", links } = vulnerability;
  const named = [name, ...aliases].join(", ");
  const scores = cvssRatings(vulnerability).map(({ vector, score, source }) => `CVSS ${score} (${source}): ${vector}`);
  const web = webLinks(links);
  const text = [named, description.slice(0, fullLength), ...remedies, ...scores, ...web].filter(Boolean);
  const markdown = [
    `**${markdownText(named)}**`,
    markdownText(description.slice(0, fullLength)),
    ...[...remedies, ...scores].map(markdownText),
    web.map((url) => `- <${url}>`).join("\n"),
  ].filter(Boolean);
  return { text: text.join("\n\n"), markdown: markdown.join("\n\n") };
}
