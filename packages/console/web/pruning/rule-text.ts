import { texts } from "../texts/texts.ts";
import type { PruneRule } from "./prune-calls.ts";

const words = texts.pruning;

/** What a rule says of how long tags stay, in words. */
export function ruleText({ method, value }: Pick<PruneRule, "method" | "value">): string {
  return words.keep[method](value);
}

/** Which tags a rule is for, in words. */
export function tagsText({ tagPattern, tagPatternMatches }: Pick<PruneRule, "tagPattern" | "tagPatternMatches">) {
  if (tagPattern === null) return words.allTags;
  return tagPatternMatches ? words.like(tagPattern) : words.unlike(tagPattern);
}
