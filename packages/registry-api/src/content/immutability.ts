import { RegistryError } from "../errors.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { compileWholePattern, type Matcher } from "../values/patterns.ts";
import type { LockedRepository } from "./queries/lock-repository.ts";
import type { TagRow } from "./queries/tags.ts";
import { isReferrersTag, isReferrerTag } from "./referrer-tags.ts";

/** Parses stored policies. */
export function parsePolicies(json: string): readonly ImmutabilityPolicy[] {
  return JSON.parse(json) as readonly ImmutabilityPolicy[];
}

/** The policies of a repository and those that it inherits from its organization. */
export function policiesOf({
  immutability_policies,
  inherited_policies,
}: Pick<LockedRepository, "immutability_policies" | "inherited_policies">): readonly ImmutabilityPolicy[] {
  return [...parsePolicies(immutability_policies), ...parsePolicies(inherited_policies ?? "[]")];
}

/**
 * A matcher for the names of tags that policies protect. Tags of signatures and other referrers are never protected: each new signature
 * writes them again, and they end with their image.
 */
export function protectedBy(policies: readonly ImmutabilityPolicy[]): Matcher {
  const rules = policies.map(matcherOf);
  return (name) => rules.some((isFor) => isFor(name)) && !isReferrerTag(name) && !isReferrersTag(name);
}

/** Whether nothing may change a tag. */
export function isImmutable({ immutable_by }: Pick<TagRow, "immutable_by">): boolean {
  return immutable_by !== null;
}

/** @throws RegistryError `tag_immutable` if one of the tags is immutable */
export function refuseIfImmutable(
  tags: readonly Pick<TagRow, "immutable_by" | "name">[],
  change: "overwrite" | "delete" | "expire",
): void {
  const held = tags.find(isImmutable);
  if (held === undefined) return;
  throw new RegistryError("tag_immutable", `Cannot ${change} immutable tag '${held.name}'`);
}

function matcherOf({ tagPattern, tagPatternMatches }: ImmutabilityPolicy): Matcher {
  const matches = compileWholePattern("tagPattern", tagPattern);
  return tagPatternMatches ? matches : (name) => !matches(name);
}
