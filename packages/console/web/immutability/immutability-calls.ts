import {
  createOrganizationImmutabilityPolicy,
  createRepositoryImmutabilityPolicy,
  deleteOrganizationImmutabilityPolicy,
  deleteRepositoryImmutabilityPolicy,
  listOrganizationImmutabilityPolicies,
  listRepositoryImmutabilityPolicies,
} from "../api/generated/policy.ts";
import { either, type ResultOf } from "../api/operation.ts";
import type { RuleOwner } from "../shared/owner.ts";

/** A policy as the management API shows it. */
export type Policy = ResultOf<typeof listRepositoryImmutabilityPolicies>["policies"][number];

/** The operations on an owner's policies, and their parameters. Each operation uses the parameter that its path contains. */
export function policyCalls({ kind, name }: RuleOwner) {
  const isOf = kind === "organization";
  return {
    list: either({ isFirst: isOf }, listOrganizationImmutabilityPolicies, listRepositoryImmutabilityPolicies),
    create: either({ isFirst: isOf }, createOrganizationImmutabilityPolicy, createRepositoryImmutabilityPolicy),
    remove: either({ isFirst: isOf }, deleteOrganizationImmutabilityPolicy, deleteRepositoryImmutabilityPolicy),
    params: { orgname: name, repository: name },
    affected: [listOrganizationImmutabilityPolicies, listRepositoryImmutabilityPolicies],
  };
}
