import { compareRisk, compareSeverity } from "@plimsoll/core";
import type { ImageFinding } from "../security/image-findings.ts";
import { compileWholePattern } from "../values/patterns.ts";
import type { Gate, GateException, GateRules } from "./gate.ts";

/** What is known of an image. */
export interface JudgedImage {
  /** `NAMESPACE/NAME:TAG` for each alive tag, and `NAMESPACE/NAME@DIGEST`. */
  readonly references: readonly string[];
  readonly findings: readonly ImageFinding[];
  /** Why there may be more findings; undefined where there are none. */
  readonly missing: string | undefined;
}

/** What a gate says of an image, whether or not it enforces that. */
export interface GateVerdict {
  readonly verdict: "allow" | "deny" | "pending";
  /** Those that count, the greatest risk first; of a decision that is kept, the first of them. */
  readonly findings: readonly ImageFinding[];
  readonly count: number;
  /** Why it is pending. */
  readonly missing?: string;
  /** When it may say something else although nothing but the time has changed: epoch milliseconds. */
  readonly until: number;
}

/**
 * Judges an image. Findings that count deny it. Where none counts and something is missing, the image is pending, unless an exception is
 * for all of it.
 */
export function judgeImage({ rules, exceptions }: Gate, image: JudgedImage, now: number): GateVerdict {
  const valid = exceptions.filter(({ expires }) => Date.parse(expires) > now).filter((each) => isForImage(each, image));
  const counting = image.findings
    .filter((finding) => counts(rules, finding) && !valid.some((each) => isForFinding(each, finding)))
    .map((finding) => ({ finding, from: countsFrom(rules, finding) }));
  const later = counting.map(({ from }) => from).filter((from) => from > now);
  const until = Math.min(...later, ...valid.map(({ expires }) => Date.parse(expires)), Number.POSITIVE_INFINITY);
  const findings = counting.filter(({ from }) => from <= now).map(({ finding }) => finding);
  if (findings.length > 0) {
    const ranked = findings.toSorted((a, b) => compareRisk(a.risk, b.risk));
    return { verdict: "deny", findings: ranked, count: ranked.length, until };
  }
  if (image.missing === undefined || valid.some(isForAll)) {
    return { verdict: "allow", findings, count: 0, until };
  }
  return { verdict: "pending", findings, count: 0, missing: image.missing, until };
}

/** Whether a finding is one that the rules mean, however new it is. */
function counts(rules: GateRules, { risk }: ImageFinding): boolean {
  if (rules.only_fixed && !risk.hasFix) return false;
  if (rules.known_exploited && risk.isExploited) return true;
  if (rules.epss !== null && risk.epss !== undefined && risk.epss.probability >= rules.epss) return true;
  return rules.severity !== null && compareSeverity(risk.severity, rules.severity) >= 0;
}

/** A finding whose advisory does not say when it was published counts at once. */
function countsFrom({ grace_days }: GateRules, { vulnerability: { issuedAt } }: ImageFinding): number {
  return issuedAt === undefined ? 0 : issuedAt + grace_days * 86_400_000;
}

function isForImage({ image }: GateException, { references }: JudgedImage): boolean {
  return image === null || references.some(compileWholePattern("image", image));
}

function isForFinding(exception: GateException, finding: ImageFinding): boolean {
  const { name, aliases } = finding.vulnerability;
  const names = [name, ...aliases].map((each) => each.toLowerCase());
  const isNamed = exception.vulnerability === null || names.includes(exception.vulnerability.toLowerCase());
  return isNamed && (exception.package === null || exception.package === finding.package);
}

/** Whether an exception is for an image as a whole, so that it passes whatever is in it. */
function isForAll({ vulnerability, package: name }: GateException): boolean {
  return vulnerability === null && name === null;
}
