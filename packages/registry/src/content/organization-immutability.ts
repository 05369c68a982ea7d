import { enqueueJob } from "@plimsoll/store";
import type { AccountRow } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { type NewPolicy, policyEntry, withChangedPolicy, withoutPolicy, withPolicy } from "./added-policies.ts";
import { parsePolicies } from "./immutability.ts";
import { protectTagsJob } from "./jobs.ts";
import { findOrganizationPolicies, lockOrganizationPolicies, setOrganizationPolicies } from "./queries/immutability.ts";

/** The policies that all repositories of an organization inherit, the oldest first. */
export async function listOrganizationPolicies(
  db: RegistryDb,
  organizationId: string,
): Promise<readonly ImmutabilityPolicy[]> {
  return parsePolicies((await findOrganizationPolicies(db, organizationId)) ?? "[]");
}

/**
 * Adds a policy that all repositories of an organization inherit. It applies to new tags at once; a job applies it to existing ones.
 * @throws RegistryError `invalid_request`
 */
export async function createOrganizationPolicy(
  context: CallContext<"create_immutability_policy">,
  organization: AccountRow,
  policy: NewPolicy,
): Promise<{ readonly uuid: string }> {
  const before = parsePolicies(await lockOrganizationPolicies(context.db, organization.id));
  const { added, policies } = withPolicy(before, policy);
  await set(context, organization, policies);
  await context.log("create_immutability_policy", { namespace: organization.username, ...policyEntry(added) });
  return { uuid: added.uuid };
}

/** Changes a policy of an organization, which then applies to existing tags as a new one does. @throws RegistryError `not_found`, `invalid_request` */
export async function changeOrganizationPolicy(
  context: CallContext<"update_immutability_policy">,
  organization: AccountRow,
  { uuid, ...policy }: NewPolicy & { readonly uuid: string },
): Promise<void> {
  const before = parsePolicies(await lockOrganizationPolicies(context.db, organization.id));
  const { changed, policies } = withChangedPolicy(before, uuid, policy);
  await set(context, organization, policies);
  await context.log("update_immutability_policy", { namespace: organization.username, ...policyEntry(changed) });
}

/** Removes a policy of an organization. A job makes the tags mutable to which no other policy applies. @throws RegistryError `not_found` */
export async function deleteOrganizationPolicy(
  context: CallContext<"delete_immutability_policy">,
  organization: AccountRow,
  uuid: string,
): Promise<void> {
  const before = parsePolicies(await lockOrganizationPolicies(context.db, organization.id));
  const { removed, policies } = withoutPolicy(before, uuid);
  await set(context, organization, policies);
  await context.log("delete_immutability_policy", { namespace: organization.username, ...policyEntry(removed) });
}

async function set({ db, clock }: CallContext, { id }: AccountRow, policies: readonly ImmutabilityPolicy[]) {
  await setOrganizationPolicies(db, id, JSON.stringify(policies));
  await enqueueJob(db, protectTagsJob.of({ namespaceId: id }), clock);
}
