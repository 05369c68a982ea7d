import { randomUUID } from "node:crypto";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { compileWholePattern } from "../values/patterns.ts";
import { parsePolicies, protectedBy } from "./immutability.ts";
import { listJudgedTags, setImmutability, setPolicies } from "./queries/immutability.ts";
import { lockRepository } from "./queries/lock-repository.ts";

/** A policy that is to be added. */
export type NewPolicy = Pick<ImmutabilityPolicy, "tagPattern"> & { readonly tagPatternMatches?: boolean };

/** How many policies a repository may have: each is matched with every tag that is put. */
const maxPolicies = 20;

/**
 * Adds a policy. The tags that it is for are immutable from now on, and do not expire any more.
 * @throws RegistryError `invalid_request`
 */
export async function createImmutabilityPolicy(
  context: OperationContext<"create_immutability_policy">,
  repository: ImageRepository,
  { tagPattern, tagPatternMatches = true }: NewPolicy,
): Promise<{ readonly uuid: string }> {
  compileWholePattern("tagPattern", tagPattern);
  const policies = await holdPolicies(context, repository);
  if (policies.some((each) => each.tagPattern === tagPattern && each.tagPatternMatches === tagPatternMatches)) {
    throw invalidRequest("There is a policy with the same pattern");
  }
  if (policies.length >= maxPolicies) throw invalidRequest(`A repository has at most ${maxPolicies} policies`);
  const uuid = randomUUID();
  await apply(context, repository, [...policies, { uuid, tagPattern, tagPatternMatches }]);
  await context.log("create_immutability_policy", entryOf(repository, { tagPattern, tagPatternMatches }));
  return { uuid };
}

/** Removes a policy. Tags that no other policy is for can be changed again. @throws RegistryError `not_found` */
export async function deleteImmutabilityPolicy(
  context: OperationContext<"delete_immutability_policy">,
  repository: ImageRepository,
  uuid: string,
): Promise<void> {
  const policies = await holdPolicies(context, repository);
  const removed = policies.find((each) => each.uuid === uuid);
  if (removed === undefined) throw notFound();
  await apply(
    context,
    repository,
    policies.filter((each) => each !== removed),
  );
  await context.log("delete_immutability_policy", entryOf(repository, removed));
}

async function holdPolicies({ db }: OperationContext, { id }: ImageRepository): Promise<readonly ImmutabilityPolicy[]> {
  return parsePolicies((await lockRepository(db, id)).immutability_policies);
}

/** Stores policies, and makes every tag what they say. The repository is locked. */
async function apply(
  { db, now }: OperationContext,
  { id: repositoryId }: ImageRepository,
  policies: readonly ImmutabilityPolicy[],
): Promise<void> {
  await setPolicies(db, repositoryId, JSON.stringify(policies));
  const isProtected = protectedBy(policies);
  const yieldToOthers = cooperativeYield();
  for (let after = ""; ; ) {
    const tags = await listJudgedTags(db, { repositoryId, after, now });
    const free = tags.filter((tag) => tag.immutable_by === null && isProtected(tag.name));
    if (free.length > 0) await setImmutability(db, idsOf(free), "policy");
    const held = tags.filter((tag) => tag.immutable_by === "policy" && !isProtected(tag.name));
    if (held.length > 0) await setImmutability(db, idsOf(held), null);
    const last = tags.at(-1);
    if (last === undefined) return;
    after = last.name;
    await yieldToOthers();
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}

function entryOf({ namespace, name: repo }: ImageRepository, policy: Omit<ImmutabilityPolicy, "uuid">) {
  const { tagPattern: tag_pattern, tagPatternMatches: tag_pattern_matches } = policy;
  return { namespace, repo, tag_pattern, tag_pattern_matches };
}
