import { describeRow } from "@plimsoll/registry/lifecycle/pruning/prune-policies";
import type { PrunePolicyRow } from "@plimsoll/registry/lifecycle/pruning/queries";
import { compilePattern, problemOf, usePatterns } from "@plimsoll/registry/values/patterns";
import { type Static, Type } from "typebox";

/** A rule that removes tags. */
export const PrunePolicy = Type.Object({
  uuid: Type.String(),
  method: Type.Enum(["number_of_tags", "creation_date"]),
  value: Type.Union([Type.Integer(), Type.String()]),
  tagPattern: Type.Union([Type.String(), Type.Null()]),
  tagPatternMatches: Type.Boolean(),
  problem: Type.Optional(Type.String({ description: "Why the pattern cannot be used: the policy removes no tags" })),
});
export type PrunePolicy = Static<typeof PrunePolicy>;

/** A policy as clients see it. */
export function prunePolicyView(policy: PrunePolicyRow): PrunePolicy {
  const [pattern] = policy.tag_pattern === null ? [] : usePatterns([policy.tag_pattern], { compile: compilePattern });
  const problem = problemOf(pattern);
  return { uuid: policy.id, ...describeRow(policy), problem };
}
