import { randomUUID } from "node:crypto";
import { invalidRequest, notFound } from "../errors.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { checkPatternsSize, compileWholePattern } from "../values/patterns.ts";

/** A policy to add. */
export type NewPolicy = Pick<ImmutabilityPolicy, "tagPattern"> & { readonly tagPatternMatches?: boolean };

/** How many policies a repository, or an organization, may have: each is matched with every tag that is put. */
const maxPolicies = 20;

/** The policies with a new one at the end. @throws RegistryError `invalid_request` */
export function withPolicy(
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
export function withChangedPolicy(
  policies: readonly ImmutabilityPolicy[],
  uuid: string,
  policy: NewPolicy,
): { readonly changed: ImmutabilityPolicy; readonly policies: readonly ImmutabilityPolicy[] } {
  const { removed, policies: others } = withoutPolicy(policies, uuid);
  const changed = { ...withPolicy(others, policy).added, uuid };
  return { changed, policies: policies.map((each) => (each === removed ? changed : each)) };
}

/** The policies without one of them. @throws RegistryError `not_found` */
export function withoutPolicy(
  policies: readonly ImmutabilityPolicy[],
  uuid: string,
): { readonly removed: ImmutabilityPolicy; readonly policies: readonly ImmutabilityPolicy[] } {
  const removed = policies.find((each) => each.uuid === uuid);
  if (removed === undefined)
    throw notFound("There is no immutability policy with that uuid: list the policies to see their uuids");
  return { removed, policies: policies.filter((each) => each !== removed) };
}

/** The members of entries of the usage log about a policy. */
export function policyEntry({ tagPattern, tagPatternMatches }: Omit<ImmutabilityPolicy, "uuid">) {
  return { tag_pattern: tagPattern, tag_pattern_matches: tagPatternMatches };
}
