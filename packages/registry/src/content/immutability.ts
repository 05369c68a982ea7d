import { RegistryError } from "../errors.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import {
  compileWholePattern,
  type Matcher,
  maxPatternsSize,
  type StoredPattern,
  sizeOfPatterns,
  usePatterns,
} from "../values/patterns.ts";
import type { LockedRepository } from "./queries/blobs.ts";
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
  const patterns = patternsOf(policies);
  const rules = policies.map(({ tagPatternMatches }, index): Matcher => {
    const pattern = patterns[index];
    if (pattern?.kind !== "used") return () => true;
    return tagPatternMatches ? pattern.matches : (name) => !pattern.matches(name);
  });
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

/**
 * The patterns of the policies of a repository and of its organization. One that is not used protects all tags, until its policy is
 * deleted.
 */
export function patternsOf(policies: readonly ImmutabilityPolicy[]): readonly StoredPattern[] {
  const patterns = policies.map(({ tagPattern }) => tagPattern);
  return usePatterns(patterns, { compile: compileWholePattern, mostSteps: 2 * maxPatternsSize });
}

/** How many steps it takes to match names with the patterns of policies, at most. */
export function stepsOf(policies: readonly ImmutabilityPolicy[], names: readonly string[]): number {
  const characters = names.reduce((sum, name) => sum + name.length + 1, 0);
  const size = sizeOfPatterns(policies.map(({ tagPattern }) => tagPattern));
  return characters * Math.min(size, 2 * maxPatternsSize);
}
