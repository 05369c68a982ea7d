import { type Operators, operatorsOf, parseConstraint } from "../constraint.ts";
import { isDigits } from "../digits.ts";
import { type GemVersion, gemVersions, parse } from "./version.ts";

const operators: Operators<GemVersion> = new Map([...operatorsOf(gemVersions), ["~>", isPessimistic]]);

/**
 * Whether a gem version fulfils a requirement: comparators joined by `,`, and alternatives by `||`, where `~> 1.4.2` is
 * at least 1.4.2 and, leaving prereleases aside, below 1.5.
 * @see https://guides.rubygems.org/patterns/#declaring-dependencies
 * @throws ScanError `malformed_version`
 */
export function satisfiesRequirement(version: string, requirement: string): boolean {
  return parseConstraint(gemVersions, operators, requirement)(parse(version));
}

function isPessimistic(version: GemVersion, bound: GemVersion): boolean {
  if (gemVersions.compare(version, bound) < 0) return false;
  const release = parse(releaseSegments(version).join("."));
  return gemVersions.compare(release, nextLine(bound)) < 0;
}

/** The numbers before the first letter. */
function releaseSegments({ segments }: GemVersion): readonly string[] {
  const letters = segments.findIndex((segment) => !isDigits(segment));
  return letters === -1 ? segments : segments.slice(0, letters);
}

/** The bound without its last number and one higher: 1.5 for 1.4.2, 2 for 1.4 as well as for 1. */
function nextLine(bound: GemVersion): GemVersion {
  const numbers = releaseSegments(bound);
  const line = numbers.length > 1 ? numbers.slice(0, -1) : numbers;
  const next = BigInt(line.at(-1) ?? "0") + 1n;
  return parse([...line.slice(0, -1), next].join("."));
}
