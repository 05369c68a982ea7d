import { randomUUID } from "node:crypto";
import { enqueueJob } from "@plimsoll/store";
import type { AccountRow, ImageRepository } from "../access/queries.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { checkPatternsSize, compileWholePattern } from "../values/patterns.ts";
import { applyAtOnce } from "./apply-policies.ts";
import { parsePolicies, policiesOf } from "./immutability.ts";
import { protectTagsJob } from "./jobs.ts";
import { type LockedRepository, lockRepository } from "./queries/blobs.ts";
import {
  findOrganizationPolicies,
  lockOrganizationPolicies,
  setOrganizationPolicies,
  setPolicies,
} from "./queries/immutability.ts";

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

/** A policy to add. */
type NewPolicy = Pick<ImmutabilityPolicy, "tagPattern"> & { readonly tagPatternMatches?: boolean };

/** How many policies a repository, or an organization, may have: each is matched with every tag that is put. */
const maxPolicies = 20;

/** The policies with a new one at the end. @throws RegistryError `invalid_request` */
function withPolicy(
  policies: readonly ImmutabilityPolicy[],
  { tagPattern, tagPatternMatches = true }: NewPolicy,
): { readonly added: ImmutabilityPolicy; readonly policies: readonly ImmutabilityPolicy[] } {
  compileWholePattern("tagPattern", tagPattern);
  if (policies.some((each) => each.tagPattern === tagPattern && each.tagPatternMatches === tagPatternMatches)) {
    throw invalidRequest("There is a policy with the same pattern");
  }
  if (policies.length >= maxPolicies) throw invalidRequest(`There are at most ${maxPolicies} policies`);
  const patterns = [...policies.map((each) => each.tagPattern), tagPattern];
  checkPatternsSize("the immutability policies of a repository or an organization", patterns);
  const added = { uuid: randomUUID(), tagPattern, tagPatternMatches };
  return { added, policies: [...policies, added] };
}

/** The policies with another one in the place of one of them, which keeps its uuid. @throws RegistryError `not_found`, `invalid_request` */
function withChangedPolicy(
  policies: readonly ImmutabilityPolicy[],
  uuid: string,
  policy: NewPolicy,
): { readonly changed: ImmutabilityPolicy; readonly policies: readonly ImmutabilityPolicy[] } {
  const { removed, policies: others } = withoutPolicy(policies, uuid);
  const changed = { ...withPolicy(others, policy).added, uuid };
  return { changed, policies: policies.map((each) => (each === removed ? changed : each)) };
}

/** The policies without one of them. @throws RegistryError `not_found` */
function withoutPolicy(
  policies: readonly ImmutabilityPolicy[],
  uuid: string,
): { readonly removed: ImmutabilityPolicy; readonly policies: readonly ImmutabilityPolicy[] } {
  const removed = policies.find((each) => each.uuid === uuid);
  if (removed === undefined)
    throw notFound("There is no immutability policy with that uuid: list the policies to see their uuids");
  return { removed, policies: policies.filter((each) => each !== removed) };
}

/** The members of entries of the usage log about a policy. */
function policyEntry({ tagPattern, tagPatternMatches }: Omit<ImmutabilityPolicy, "uuid">) {
  return { tag_pattern: tagPattern, tag_pattern_matches: tagPatternMatches };
}
