import { isReferrerTag } from "../content/referrer-tags.ts";
import { compilePattern, type Matcher } from "../values/patterns.ts";
import { parseTimeDelta } from "../values/time-delta.ts";
import type { PrunePolicyRow } from "./queries/policies.ts";

/** A policy, parsed so that it can judge tags. */
export interface PruneRule {
  readonly id: string;
  readonly isFor: Matcher;
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
  readonly goes: boolean;
  readonly judgements: readonly Judgement[];
}

/** Parses stored policies into rules, in the order in which they apply: by age, then by number, the oldest policy first. */
export function pruneRules(policies: readonly PrunePolicyRow[]): readonly PruneRule[] {
  const rules = policies.map(ruleOf);
  return [...rules.filter(({ keeps }) => "ms" in keeps), ...rules.filter(({ keeps }) => "tags" in keeps)];
}

function ruleOf({ id, method, value, tag_pattern, tag_pattern_matches }: PrunePolicyRow): PruneRule {
  const matches = tag_pattern === null ? () => true : compilePattern("tagPattern", tag_pattern);
  const isFor: Matcher = tag_pattern_matches === 1 ? matches : (name) => !matches(name);
  const amount = JSON.parse(value) as number | string;
  const ms = parseTimeDelta(String(amount)) ?? Number.POSITIVE_INFINITY;
  return { id, isFor, keeps: method === "number_of_tags" ? { tags: Number(amount) } : { ms } };
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
      if (judgement.reason === "too_old" || judgement.reason === "too_many") return { goes: true, judgements };
    }
    return { goes: false, judgements };
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
