import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { onRepository } from "@plimsoll/registry/access/on-repository";
import { parsePolicies, patternsOf } from "@plimsoll/registry/content/immutability";
import {
  createImmutabilityPolicy,
  createOrganizationPolicy,
  deleteImmutabilityPolicy,
  deleteOrganizationPolicy,
  listOrganizationPolicies,
} from "@plimsoll/registry/content/immutability-policies";
import type { ImmutabilityPolicy } from "@plimsoll/registry/store/tables/content";
import { problemOf } from "@plimsoll/registry/values/patterns";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

const resource = { tag: "policy", isOwn: true } as const;
const path = "/repository/{repository}/immutabilitypolicy/";
const ofOrganization = "/organization/{orgname}/immutabilitypolicy/";

const pattern = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "A regular expression in the syntax of RE2 that matches whole names of tags",
});
const matches = Type.Boolean({ description: "False: the policy applies to the tags that the pattern does not match" });

/** A policy as clients see it. */
export const Policy = Type.Object({
  uuid: Type.String(),
  tagPattern: pattern,
  tagPatternMatches: matches,
  problem: Type.Optional(
    Type.String({
      description:
        "Why the pattern cannot be used: until the policy is deleted, all tags that are put become immutable",
    }),
  ),
});

/** The body of a request that adds a policy. */
export const AddedPolicy = Type.Object({ tagPattern: pattern, tagPatternMatches: Type.Optional(matches) });
const Added = Type.Object({ uuid: Type.String() });

const createRepositoryImmutabilityPolicy = operation({
  ...resource,
  id: "createRepositoryImmutabilityPolicy",
  audit: ["create_immutability_policy"],
  method: "POST",
  path,
  summary:
    "Make tags immutable whose names match a pattern: future ones, and existing ones at once, or within seconds if they are many.",
  access: onRepository("admin"),
  body: AddedPolicy,
  success: 201,
  result: Added,
  handle: ({ subject: { repository }, body }, context) => createImmutabilityPolicy(context, repository, body),
});

const listRepositoryImmutabilityPolicies = operation({
  ...resource,
  id: "listRepositoryImmutabilityPolicies",
  method: "GET",
  path,
  summary: "The immutability policies of a repository, the oldest first.",
  access: onRepository("read"),
  success: 200,
  result: Type.Object({
    policies: Type.Array(Policy),
    inherited: Type.Array(Policy, {
      description: "The policies of its organization, which apply to the repository as well",
    }),
  }),
  handle: async ({ subject: { repository } }, { db }) => ({
    policies: shownPolicies(parsePolicies(repository.immutability_policies)),
    inherited: shownPolicies(await listOrganizationPolicies(db, repository.namespace_id)),
  }),
});

const deleteRepositoryImmutabilityPolicy = operation({
  ...resource,
  id: "deleteRepositoryImmutabilityPolicy",
  audit: ["delete_immutability_policy"],
  method: "DELETE",
  path: "/repository/{repository}/immutabilitypolicy/{policy_uuid}",
  summary: "Delete an immutability policy: tags to which no other policy applies can be changed again.",
  access: onRepository("admin"),
  success: 204,
  handle: ({ subject: { repository }, params }, context) =>
    deleteImmutabilityPolicy(context, repository, params.policy_uuid),
});

const createOrganizationImmutabilityPolicy = operation({
  ...resource,
  id: "createOrganizationImmutabilityPolicy",
  audit: ["create_immutability_policy"],
  method: "POST",
  path: ofOrganization,
  summary:
    "Make tags immutable whose names match a pattern, in all repositories of an organization: new tags at once, existing ones within seconds.",
  access: onOrganization("admin"),
  body: AddedPolicy,
  success: 201,
  result: Added,
  handle: ({ subject: { organization }, body }, context) => createOrganizationPolicy(context, organization, body),
});

const listOrganizationImmutabilityPolicies = operation({
  ...resource,
  id: "listOrganizationImmutabilityPolicies",
  method: "GET",
  path: ofOrganization,
  summary: "The immutability policies of an organization, the oldest first.",
  access: onOrganization("member"),
  success: 200,
  result: Type.Object({ policies: Type.Array(Policy) }),
  handle: async ({ subject: { organization } }, { db }) => ({
    policies: shownPolicies(await listOrganizationPolicies(db, organization.id)),
  }),
});

const deleteOrganizationImmutabilityPolicy = operation({
  ...resource,
  id: "deleteOrganizationImmutabilityPolicy",
  audit: ["delete_immutability_policy"],
  method: "DELETE",
  path: `${ofOrganization}{policy_uuid}`,
  summary: "Delete an immutability policy: within seconds, tags to which no other policy applies can be changed again.",
  access: onOrganization("admin"),
  success: 204,
  handle: ({ subject: { organization }, params }, context) =>
    deleteOrganizationPolicy(context, organization, params.policy_uuid),
});

/** Policies as clients see them. */
export function shownPolicies(policies: readonly ImmutabilityPolicy[]) {
  const patterns = patternsOf(policies);
  return policies.map((policy, index) => {
    const problem = problemOf(patterns[index]);
    return { ...policy, problem };
  });
}

/** The operations on immutability policies of repositories and organizations. */
export const immutabilityPolicyOperations = [
  createRepositoryImmutabilityPolicy,
  listRepositoryImmutabilityPolicies,
  deleteRepositoryImmutabilityPolicy,
  createOrganizationImmutabilityPolicy,
  listOrganizationImmutabilityPolicies,
  deleteOrganizationImmutabilityPolicy,
];
