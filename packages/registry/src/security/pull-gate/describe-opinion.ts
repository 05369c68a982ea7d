import type { GateOpinion } from "./decide-pull.ts";

/** How many findings are named, and how many documents. */
const [mostNamed, mostDocuments] = [3, 5] as const;

/** Why a gate refuses an image, and how to add an exception, as a message for the user of a client. @param request adds one */
export function describeOpinion(opinion: GateOpinion, request: string): string {
  const { owner, count, findings } = opinion;
  const how = `an admin of the ${owner} can add an exception: ${request}`;
  const [worst] = findings;
  if (worst === undefined)
    return `the pull gate of the ${owner} denies images that are not fully scanned: ${opinion.missing}; ${how}`;
  const named = findings.slice(0, mostNamed).map((each) => `${each.vulnerability.name} (${each.package})`);
  const rest = count > named.length ? `, and ${count - named.length} more` : "";
  const many = count === 1 ? "1 finding" : `${count} findings`;
  return `the pull gate of the ${owner} denies the image for ${many}, the worst is ${worst.risk.severity}: ${named.join(", ")}${rest}${ignoredIn(opinion)}; ${how}`;
}

/** The documents that would let findings pass, and how to make them count. */
function ignoredIn({ owner, ignoredStatements }: GateOpinion): string {
  if (ignoredStatements.length === 0) return "";
  const [named] = ignoredStatements.map(({ document, reason }) => `${document} (${reason})`);
  const rest = ignoredStatements.length > 1 ? `, and ${ignoredStatements.length - 1} more,` : "";
  const how = `until an admin of the ${owner} attaches it, or it is signed by a key that the gate names`;
  return `; the VEX document ${named}${rest} does not count ${how}`;
}

/** The verdict of a gate for programs and the usage log. */
export function noteOf(opinion: GateOpinion) {
  const { owner, verdict, count, findings, missing, statements, ignoredStatements, denies, rules } = opinion;
  const { mode: _, ...refusing } = rules;
  const named = findings.slice(0, mostNamed);
  return {
    gate: owner,
    verdict,
    findings: count,
    worst: findings[0] ? findings[0].risk.severity : undefined,
    vulnerabilities: named.map((each) => each.vulnerability.name),
    named: named.map(({ vulnerability: { name }, package: found, risk: { severity } }) => {
      return { vulnerability: name, package: found, severity };
    }),
    missing,
    rules: denies ? refusing : undefined,
    statements:
      statements.length > 0
        ? statements.slice(0, mostDocuments).map(({ document, by }) => ({ document, by }))
        : undefined,
    ignored_statements:
      ignoredStatements.length > 0
        ? ignoredStatements.slice(0, mostDocuments).map(({ document, reason }) => ({ document, reason }))
        : undefined,
  };
}
