import { Type } from "typebox";
import { onRepository } from "../../access/on-repository.ts";
import { operation } from "../../operation.ts";
import { parsePolicies } from "../immutability.ts";
import { createImmutabilityPolicy, deleteImmutabilityPolicy } from "../immutability-policies.ts";

const resource = { tag: "policy", isOwn: true } as const;
const path = "/repository/{repository}/immutabilitypolicy/";

const pattern = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "A regular expression in the syntax of RE2 that describes whole names of tags",
});
const matches = Type.Boolean({ description: "False: tags that it does not describe are meant" });

const Policy = Type.Object({ uuid: Type.String(), tagPattern: pattern, tagPatternMatches: matches });

const createRepositoryImmutabilityPolicy = operation({
  ...resource,
  id: "createRepositoryImmutabilityPolicy",
  audit: ["create_immutability_policy"],
  method: "POST",
  path,
  summary: "Make the tags immutable whose names a pattern describes, those that are there and those to come.",
  access: onRepository("admin"),
  body: Type.Object({ tagPattern: pattern, tagPatternMatches: Type.Optional(matches) }),
  success: 201,
  result: Type.Object({ uuid: Type.String() }),
  handle: ({ subject: { repository }, body }, context) => createImmutabilityPolicy(context, repository, body),
});

const listRepositoryImmutabilityPolicies = operation({
  ...resource,
  id: "listRepositoryImmutabilityPolicies",
  method: "GET",
  path,
  summary: "The patterns of the tags that nothing may change, the oldest first.",
  access: onRepository("read"),
  success: 200,
  result: Type.Object({ policies: Type.Array(Policy) }),
  handle: async ({ subject: { repository } }) => ({
    policies: [...parsePolicies(repository.immutability_policies)],
  }),
});

const deleteRepositoryImmutabilityPolicy = operation({
  ...resource,
  id: "deleteRepositoryImmutabilityPolicy",
  audit: ["delete_immutability_policy"],
  method: "DELETE",
  path: "/repository/{repository}/immutabilitypolicy/{policy_uuid}",
  summary: "Remove one of these patterns: tags that no other describes can be changed again.",
  access: onRepository("admin"),
  success: 204,
  handle: ({ subject: { repository }, params }, context) =>
    deleteImmutabilityPolicy(context, repository, params.policy_uuid),
});

/** Which tags of a repository are immutable by their names. */
export const immutabilityPolicyOperations = [
  createRepositoryImmutabilityPolicy,
  listRepositoryImmutabilityPolicies,
  deleteRepositoryImmutabilityPolicy,
];
