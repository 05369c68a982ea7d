import { describeRow, policyDefaults } from "@plimsoll/registry/lifecycle/pruning/prune-policies";
import type { PrunePolicyRow } from "@plimsoll/registry/lifecycle/pruning/queries";
import { compilePattern, problemOf, usePatterns } from "@plimsoll/registry/values/patterns";
import { type Static, Type } from "typebox";
import { largestInteger } from "../../operation.ts";

/** How a policy decides. */
export const method = Type.String({ maxLength: 40, description: "number_of_tags or creation_date" });
const value = Type.Union([Type.Number({ maximum: largestInteger }), Type.String({ maxLength: 40 })], {
  description: "A number of tags, or a time such as 7d",
});

/** Which tags a policy is for. */
const pattern = {
  tagPattern: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
  tagPatternMatches: Type.Optional(Type.Boolean({ description: "False: tags that do not match are meant" })),
};

/** A new policy. */
export const Policy = Type.Object({ method, value, ...pattern });

/** A policy of which parts may be absent. */
export const PartialPolicy = Type.Object(
  { method: Type.Optional(method), value: Type.Optional(value), ...pattern },
  {
    description:
      "Where the method is absent the value decides it, or it stays, or it is number_of_tags; where the value is absent it stays" +
      `, or it is ${policyDefaults.number_of_tags} tags or ${policyDefaults.creation_date}`,
  },
);
export type PartialPolicy = Static<typeof PartialPolicy>;

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
