import { matchesTag } from "../mirrors/match-tag.ts";

/**
 * Whether a repository of another registry is mirrored: a pattern matches its whole name, and no pattern after `!` does. Patterns have
 * the syntax of {@link matchesTag}; a star matches slashes too.
 */
export function isMirrored(patterns: readonly string[], name: string): boolean {
  const isExcluded = patterns.some((each) => each.startsWith("!") && matchesTag(each.slice(1), name));
  return !isExcluded && patterns.some((each) => !each.startsWith("!") && matchesTag(each, name));
}
