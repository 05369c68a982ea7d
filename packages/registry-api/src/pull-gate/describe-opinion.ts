import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { GateOpinion } from "./decide-pull.ts";

/** How many findings are named. */
const mostNamed = 3;

/** Why a gate refuses an image, and how to add an exception, as a message for the user of a client. */
export function describeOpinion(
  opinion: GateOpinion,
  { namespace, name }: Pick<ImageRepository, "namespace" | "name">,
): string {
  const { owner, count, findings } = opinion;
  const path = owner === "organization" ? `organization/${namespace}` : `repository/${namespace}/${name}`;
  const how = `an admin of the ${owner} can add an exception: POST /api/v1/${path}/pullgate/exceptions`;
  const [worst] = findings;
  if (worst === undefined)
    return `the pull gate of the ${owner} denies images that are not fully scanned: ${opinion.missing}; ${how}`;
  const named = findings.slice(0, mostNamed).map((each) => `${each.vulnerability.name} (${each.package})`);
  const rest = count > named.length ? `, and ${count - named.length} more` : "";
  const many = count === 1 ? "1 finding" : `${count} findings`;
  return `the pull gate of the ${owner} denies the image for ${many}, the worst is ${worst.risk.severity}: ${named.join(", ")}${rest}; ${how}`;
}

/** The verdict of a gate for programs and the usage log. */
export function noteOf({ owner, verdict, count, findings, missing }: GateOpinion) {
  return {
    gate: owner,
    verdict,
    findings: count,
    ...(findings[0] && { worst: findings[0].risk.severity }),
    vulnerabilities: findings.slice(0, mostNamed).map((each) => each.vulnerability.name),
    ...(missing !== undefined && { missing }),
  };
}
