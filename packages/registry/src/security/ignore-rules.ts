import type { VexStatement } from "@plimsoll/core/vex";
import type { IgnoreRuleRow } from "./queries/findings.ts";

const place = "ignore rule ";

/** An ignore rule as a VEX statement. */
export function ruleStatement(rule: IgnoreRuleRow): VexStatement {
  const { id, vulnerability, package: component, image, reason, author, created_at: statedAt, expires_at } = rule;
  return {
    vulnerability: [vulnerability],
    status: "not_affected",
    products: [{ image: image ?? undefined, component: component ?? undefined }],
    detail: reason,
    author,
    statedAt,
    expiresAt: expires_at,
    place: `${place}${id}`,
  };
}

/** The id of the rule from which a statement was made; undefined for a statement of a document. */
export function ruleAt(statementPlace: string): string | undefined {
  return statementPlace.startsWith(place) ? statementPlace.slice(place.length) : undefined;
}
