import { isReferrerTag } from "../../content/referrer-tags.ts";
import { parseTimeDelta } from "../../values/dates.ts";
import { compilePattern, type Matcher, maxPatternsSize, sizeOfPattern, usePatterns } from "../../values/patterns.ts";
import type { PrunePolicyRow } from "./queries.ts";

/** A policy, parsed so that it can judge tags. */
export interface PruneRule {
  readonly id: string;
  readonly isFor: Matcher;
  /** How many steps the pattern takes for each character of a name; 1 without a pattern. */
  readonly size: number;
  /** How many tags are kept, or for how long, in milliseconds. */
  readonly keeps: { readonly tags: number } | { readonly ms: number };
}

/** A tag that is alive. */
export interface JudgedTag {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly start_at: number;
}

/**
 * The judgement of a policy on a tag. `too_old` and `too_many`: the tag goes. `new_enough` and `among_newest`: it stays. `rank` is the
 * position among the tags to which a policy by number applies; 1 is the newest.
 */
export type Judgement =
  | { readonly policy: string; readonly reason: "too_old" | "new_enough" }
  | { readonly policy: string; readonly reason: "too_many" | "among_newest"; readonly rank: number };

/** Whether a tag goes, and the judgements of the policies that apply to it, up to the first by which it goes. */
export interface Verdict {
  readonly deleted: boolean;
  readonly judgements: readonly Judgement[];
}

/**
 * Parses stored policies into rules, in the order in which they apply: by age, then by number, the oldest policy first. A policy whose
 * pattern cannot be used has no rule, so it removes nothing.
 */
export function pruneRules(policies: readonly PrunePolicyRow[]): readonly PruneRule[] {
  const patterns = policies.flatMap(({ tag_pattern }) => (tag_pattern === null ? [] : [tag_pattern]));
  const matchers = usePatterns(patterns, { compile: compilePattern, mostSteps: 2 * maxPatternsSize });
  const matcherOf = new Map(patterns.map((pattern, index) => [pattern, matchers[index]]));
  const rules = policies.flatMap((policy) => {
    if (policy.tag_pattern === null) return [ruleOf(policy, () => true)];
    const matcher = matcherOf.get(policy.tag_pattern);
    return matcher?.kind === "used" ? [ruleOf(policy, matcher.matches)] : [];
  });
  return [...rules.filter(({ keeps }) => "ms" in keeps), ...rules.filter(({ keeps }) => "tags" in keeps)];
}

/** How many steps it takes to judge a tag, at most. */
export function stepsToJudge(rules: readonly PruneRule[], { name }: Pick<JudgedTag, "name">): number {
  return rules.reduce((sum, { size }) => sum + size, 0) * (name.length + 1);
}

function ruleOf({ id, method, value, tag_pattern, tag_pattern_matches }: PrunePolicyRow, matches: Matcher): PruneRule {
  const isFor: Matcher = tag_pattern_matches === 1 ? matches : (name) => !matches(name);
  const amount = JSON.parse(value) as number | string;
  const ms = parseTimeDelta(String(amount)) ?? Number.POSITIVE_INFINITY;
  const size = tag_pattern === null ? 1 : sizeOfPattern(tag_pattern);
  return { id, isFor, size, keeps: method === "number_of_tags" ? { tags: Number(amount) } : { ms } };
}

/**
 * Creates a function that judges the tags of one repository. It must be called for each tag in order, the newest first. A tag that goes
 * by one policy does not count for the policies after it.
 */
export function tagJudge(rules: readonly PruneRule[], now: number): (tag: JudgedTag) => Verdict {
  const counts = new Map<string, number>();
  return (tag) => {
    const judgements: Judgement[] = [];
    for (const { id: policy, isFor, keeps } of rules) {
      if (!isFor(tag.name)) continue;
      const judgement =
        "ms" in keeps ? byAge(policy, { isOld: now - tag.start_at > keeps.ms }) : byNumber(policy, keeps.tags);
      judgements.push(judgement);
      if (judgement.reason === "too_old" || judgement.reason === "too_many") return { deleted: true, judgements };
    }
    return { deleted: false, judgements };
  };

  function byAge(policy: string, { isOld }: { readonly isOld: boolean }): Judgement {
    return { policy, reason: isOld ? "too_old" : "new_enough" };
  }

  function byNumber(policy: string, kept: number): Judgement {
    const rank = (counts.get(policy) ?? 0) + 1;
    counts.set(policy, rank);
    return { policy, reason: rank > kept ? "too_many" : "among_newest", rank };
  }
}

/**
 * Why no policy applies to a tag: it is immutable, or it is the tag of a signature, attestation or bill of materials, which ends together
 * with its image. Undefined if policies apply.
 */
export function keptOf({ name, immutable_by }: ExemptTag): "immutable" | "referrer" | undefined {
  if (immutable_by !== null) return "immutable";
  return isReferrerTag(name) ? "referrer" : undefined;
}

interface ExemptTag {
  readonly name: string;
  readonly immutable_by: string | null;
}
