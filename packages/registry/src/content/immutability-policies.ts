import { enqueueJob } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { type NewPolicy, policyEntry, withChangedPolicy, withoutPolicy, withPolicy } from "./added-policies.ts";
import { applyAtOnce } from "./apply-policies.ts";
import { parsePolicies, policiesOf } from "./immutability.ts";
import { protectTagsJob } from "./jobs.ts";
import { type LockedRepository, lockRepository } from "./queries/blobs.ts";
import { setPolicies } from "./queries/immutability.ts";

/**
 * Adds a policy to a repository. The tags that it applies to become immutable, and no longer expire: at once, or by a job if they are many.
 * @throws RegistryError `invalid_request`
 */
export async function createImmutabilityPolicy(
  context: CallContext<"create_immutability_policy">,
  repository: ImageRepository,
  policy: NewPolicy,
): Promise<{ readonly uuid: string }> {
  const locked = await lockRepository(context.db, repository.id);
  const { added, policies } = withPolicy(parsePolicies(locked.immutability_policies), policy);
  await apply(context, repository, { locked, policies });
  await context.log("create_immutability_policy", entryOf(repository, added));
  return { uuid: added.uuid };
}

/** Changes a policy of a repository, which then applies to existing tags as a new one does. @throws RegistryError `not_found`, `invalid_request` */
export async function changeImmutabilityPolicy(
  context: CallContext<"update_immutability_policy">,
  repository: ImageRepository,
  { uuid, ...policy }: NewPolicy & { readonly uuid: string },
): Promise<void> {
  const locked = await lockRepository(context.db, repository.id);
  const { changed, policies } = withChangedPolicy(parsePolicies(locked.immutability_policies), uuid, policy);
  await apply(context, repository, { locked, policies });
  await context.log("update_immutability_policy", entryOf(repository, changed));
}

/** Removes a policy of a repository. Tags to which no other policy applies can be changed again. @throws RegistryError `not_found` */
export async function deleteImmutabilityPolicy(
  context: CallContext<"delete_immutability_policy">,
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

async function apply(context: CallContext, { id, namespace_id }: ImageRepository, { locked, policies }: Changed) {
  const { db, now, clock } = context;
  const immutability_policies = JSON.stringify(policies);
  await setPolicies(db, id, immutability_policies);
  const all = policiesOf({ ...locked, immutability_policies });
  if (await applyAtOnce(db, { repositoryId: id, now }, all)) return;
  await enqueueJob(db, protectTagsJob.of({ namespaceId: namespace_id, repositoryId: id }), clock);
}

function entryOf({ namespace, name: repo }: ImageRepository, policy: ImmutabilityPolicy) {
  return { namespace, repo, ...policyEntry(policy) };
}
