import { type RiskFact, riskData } from "@plimsoll/core/internal";
import { compareRisk } from "@plimsoll/core/match";
import { compareSeverity } from "@plimsoll/core/severity";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageFinding } from "../image-findings.ts";
import type { GateException, GateRules } from "./gate.ts";

/** The rules of a gate, and those of its exceptions that are valid and for the image. */
export interface AppliedGate {
  readonly rules: GateRules;
  readonly exceptions: readonly GateException[];
}

/** An image with its findings. */
export interface JudgedImage {
  readonly findings: readonly ImageFinding[];
  /** Why the findings may be incomplete; undefined if they are complete. */
  readonly missing: string | undefined;
  /** The facts about risk whose data the scanner has not loaded. */
  readonly missingFacts?: readonly RiskFact[];
}

/** The verdict of a gate on an image, whether the gate is enforced or not. */
export interface GateVerdict {
  readonly verdict: "allow" | "deny" | "pending";
  /** The first of the findings that count, the greatest risk first. */
  readonly findings: readonly ImageFinding[];
  /** How many findings count. */
  readonly count: number;
  /** Why it is pending. */
  readonly missing?: string;
  /** When the verdict may change because of the time alone, in epoch milliseconds. */
  readonly until: number;
}

/**
 * Judges an image. Findings that count deny it. If none counts but the findings are incomplete, or the data that the rules need were not loaded or do not
 * say anything about a finding, the image is pending, unless an exception is for the whole image.
 */
export async function judgeImage(
  { rules, exceptions }: AppliedGate,
  image: JudgedImage,
  now: number,
): Promise<GateVerdict> {
  const yieldToOthers = cooperativeYield();
  const isExcepted = exceptedBy(exceptions);
  const worst: ImageFinding[] = [];
  let count = 0;
  const unknown = { withoutCve: 0, withoutScore: 0 };
  let until = Math.min(...exceptions.map(({ expires }) => Date.parse(expires)), Number.POSITIVE_INFINITY);
  for (const finding of image.findings) {
    await yieldToOthers();
    if (isExcepted(finding)) continue;
    if (!counts(rules, finding)) {
      const lacking = lacks(rules, finding);
      if (lacking !== undefined) unknown[lacking]++;
      continue;
    }
    const from = countsFrom(rules, finding);
    if (from > now) until = Math.min(until, from);
    else if (++count > 0) addWorst(worst, finding);
  }
  if (count > 0) return { verdict: "deny", findings: worst, count, until };
  const missing = image.missing ?? missingFactOf(rules, image) ?? textOf(unknown);
  if (missing === undefined || exceptions.some(isForAll)) {
    return { verdict: "allow", findings: [], count, until };
  }
  return { verdict: "pending", findings: [], count, missing, until };
}

/** Why rules about risk cannot judge an image; undefined if they can, or if there are none. */
function missingFactOf(rules: GateRules, { missingFacts = [] }: JudgedImage): string | undefined {
  const isNeeded = { exploited: rules.known_exploited, epss: rules.epss !== null };
  const missing = missingFacts.find((fact) => isNeeded[fact]);
  return missing && `the scanner has not loaded ${riskData[missing].title} (the feed ${riskData[missing].feed})`;
}

type Lack = "withoutCve" | "withoutScore";

/**
 * What a finding lacks, so that rules about risk cannot tell whether it counts: without a CVE id, nothing is known about exploits; without a score of
 * EPSS, as new CVEs are for days, nothing about their probability.
 */
function lacks(rules: GateRules, { risk }: ImageFinding): Lack | undefined {
  const isByRisk = rules.known_exploited || rules.epss !== null;
  if (!isByRisk || (rules.only_fixed && !risk.hasFix)) return undefined;
  if (risk.withoutCve === true) return "withoutCve";
  return rules.epss !== null && risk.epss === undefined ? "withoutScore" : undefined;
}

function textOf({ withoutCve, withoutScore }: Readonly<Record<Lack, number>>): string | undefined {
  const texts = [
    ...(withoutCve > 0 ? [`${have(withoutCve)} no CVE id, by which exploits are looked up`] : []),
    ...(withoutScore > 0 ? [`${have(withoutScore)} no score of EPSS, as new CVEs`] : []),
  ];
  return texts.length === 0 ? undefined : texts.join("; ");
}

function have(count: number): string {
  return `${count} of its findings ${count === 1 ? "has" : "have"}`;
}

/** How many findings a verdict holds, since a response names three. */
const findingsKept = 4;

/** Adds a finding to the worst ones, the greatest risk first; of equal ones, the first stays first. */
function addWorst(worst: ImageFinding[], finding: ImageFinding): void {
  const place = worst.findLastIndex((each) => compareRisk(each.risk, finding.risk) <= 0) + 1;
  if (place === findingsKept) return;
  worst.splice(place, 0, finding);
  if (worst.length > findingsKept) worst.pop();
}

/** Whether the rules select a finding, regardless of its age. */
function counts(rules: GateRules, { risk }: ImageFinding): boolean {
  if (rules.only_fixed && !risk.hasFix) return false;
  if (rules.known_exploited && risk.isExploited) return true;
  if (rules.epss !== null && risk.epss !== undefined && risk.epss.probability >= rules.epss) return true;
  return rules.severity !== null && compareSeverity(risk.severity, rules.severity) >= 0;
}

/** When a finding begins to count. One whose advisory has no date counts at once. */
function countsFrom({ grace_days }: GateRules, { vulnerability: { issuedAt } }: ImageFinding): number {
  return issuedAt === undefined ? 0 : issuedAt + grace_days * 86_400_000;
}

/** Whether an exception is for a finding. Exceptions are looked up by their name: there may be hundreds, and thousands of findings. */
function exceptedBy(exceptions: readonly GateException[]): (finding: ImageFinding) => boolean {
  const packagesOf = new Map<string | undefined, Set<string | null>>();
  for (const { vulnerability, package: name } of exceptions) {
    const key = vulnerability?.toLowerCase();
    const packages = packagesOf.get(key) ?? new Set();
    packagesOf.set(key, packages.add(name));
  }
  if (packagesOf.size === 0) return () => false;
  return (finding) => {
    const { name, aliases } = finding.vulnerability;
    const names = [undefined, name.toLowerCase(), ...aliases.map((each) => each.toLowerCase())];
    return names.some((each) => {
      const packages = packagesOf.get(each);
      return packages?.has(null) === true || packages?.has(finding.package) === true;
    });
  };
}

/** Whether an exception is for a whole image, regardless of its findings. */
function isForAll({ vulnerability, package: name }: GateException): boolean {
  return vulnerability === null && name === null;
}
