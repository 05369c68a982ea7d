import { texts } from "../texts/texts.ts";
import type { PruneRule } from "./prune-calls.ts";

const words = texts.pruning;

/** The text of a rule's condition for keeping tags. */
export function ruleText({ method, value }: Pick<PruneRule, "method" | "value">): string {
  return words.keep[method](value);
}

/** The text of a rule's selection of tags. */
export function tagsText({ tagPattern, tagPatternMatches }: Pick<PruneRule, "tagPattern" | "tagPatternMatches">) {
  if (tagPattern === null) return words.allTags;
  return tagPatternMatches ? words.like(tagPattern) : words.unlike(tagPattern);
}
