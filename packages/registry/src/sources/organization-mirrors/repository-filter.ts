import { compileGlobs } from "../../values/globs.ts";
import type { Matcher, SpendSteps } from "../../values/patterns.ts";

/**
 * Compiles the rule by which repositories of another registry are mirrored: a glob matches the whole name, and no glob after `!` does. Globs
 * have the syntax of {@link compileGlobs}; a star matches slashes too.
 * @param spend counts the steps that were done
 */
export function repositoryFilter(rule: readonly string[], spend?: SpendSteps): Matcher {
  const excluding = rule.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const isExcluded = compileGlobs(excluding, spend);
  const isIncluded = compileGlobs(
    rule.filter((glob) => !glob.startsWith("!")),
    spend,
  );
  return (name) => !isExcluded(name) && isIncluded(name);
}
