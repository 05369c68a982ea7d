import { matchesTag } from "../mirrors/match-tag.ts";

/**
 * Whether a repository of another registry is followed: some pattern matches its name as a whole, and none that begins with `!` does.
 * Patterns are those of tags; a star also stands for slashes.
 */
export function isFollowed(patterns: readonly string[], name: string): boolean {
  const isExcluded = patterns.some((each) => each.startsWith("!") && matchesTag(each.slice(1), name));
  return !isExcluded && patterns.some((each) => !each.startsWith("!") && matchesTag(each, name));
}
