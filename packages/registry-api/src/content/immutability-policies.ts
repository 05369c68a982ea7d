import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { OperationContext } from "../context.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { type NewPolicy, policyEntry, withoutPolicy, withPolicy } from "./added-policies.ts";
import { applyPolicies } from "./apply-policies.ts";
import { parsePolicies, policiesOf } from "./immutability.ts";
import { setPolicies } from "./queries/immutability.ts";
import { type LockedRepository, lockRepository } from "./queries/lock-repository.ts";

/**
 * Adds a policy to a repository. The tags that it applies to become immutable, and no longer expire.
 * @throws RegistryError `invalid_request`
 */
export async function createImmutabilityPolicy(
  context: OperationContext<"create_immutability_policy">,
  repository: ImageRepository,
  policy: NewPolicy,
): Promise<{ readonly uuid: string }> {
  const locked = await lockRepository(context.db, repository.id);
  const { added, policies } = withPolicy(parsePolicies(locked.immutability_policies), policy);
  await apply(context, repository, { locked, policies });
  await context.log("create_immutability_policy", entryOf(repository, added));
  return { uuid: added.uuid };
}

/** Removes a policy of a repository. Tags to which no other policy applies can be changed again. @throws RegistryError `not_found` */
export async function deleteImmutabilityPolicy(
  context: OperationContext<"delete_immutability_policy">,
  repository: ImageRepository,
  uuid: string,
): Promise<void> {
  const locked = await lockRepository(context.db, repository.id);
  const { removed, policies } = withoutPolicy(parsePolicies(locked.immutability_policies), uuid);
  await apply(context, repository, { locked, policies });
  await context.log("delete_immutability_policy", entryOf(repository, removed));
}

interface Changed {
  readonly locked: LockedRepository;
  readonly policies: readonly ImmutabilityPolicy[];
}

async function apply({ db, now }: OperationContext, { id }: ImageRepository, { locked, policies }: Changed) {
  const immutability_policies = JSON.stringify(policies);
  await setPolicies(db, id, immutability_policies);
  await applyPolicies(db, { repositoryId: id, now }, policiesOf({ ...locked, immutability_policies }));
}

function entryOf({ namespace, name: repo }: ImageRepository, policy: ImmutabilityPolicy) {
  return { namespace, repo, ...policyEntry(policy) };
}
