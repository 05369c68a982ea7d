import { isReferrerTag } from "../content/referrer-tags.ts";
import { compilePattern, type Matcher } from "../values/patterns.ts";
import { parseTimeDelta } from "../values/time-delta.ts";
import type { PrunePolicyRow } from "./queries/policies.ts";

/** A policy, ready to judge tags. */
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
 * What a policy says of a tag. `too_old` and `too_many`: it goes. `new_enough` and `among_newest`: it stays. `rank` counts the tags
 * that a policy by number is for, from 1 for the newest.
 */
export type Judgement =
  | { readonly policy: string; readonly reason: "too_old" | "new_enough" }
  | { readonly policy: string; readonly reason: "too_many" | "among_newest"; readonly rank: number };

/** Whether a tag goes, and what each policy that is for it says. Policies that come after the one by which it goes say nothing. */
export interface Verdict {
  readonly goes: boolean;
  readonly judgements: readonly Judgement[];
}

/** Makes rules of stored policies, in the order in which they are applied: by age, then by number, the oldest policy first. */
export function pruneRules(policies: readonly PrunePolicyRow[]): readonly PruneRule[] {
  const rules = policies.map(ruleOf);
  return [...rules.filter(({ keeps }) => "ms" in keeps), ...rules.filter(({ keeps }) => "tags" in keeps)];
}

function ruleOf({ id, method, value, tag_pattern, tag_pattern_matches }: PrunePolicyRow): PruneRule {
  const matches = tag_pattern === null ? () => true : compilePattern("tagPattern", tag_pattern);
  const isFor: Matcher = tag_pattern_matches === 1 ? matches : (name) => !matches(name);
  const said = JSON.parse(value) as number | string;
  const ms = parseTimeDelta(String(said)) ?? Number.POSITIVE_INFINITY;
  return { id, isFor, keeps: method === "number_of_tags" ? { tags: Number(said) } : { ms } };
}

/**
 * Judges the tags of one repository, which it is given one after another, the newest first. What goes by one policy does not count
 * for the next.
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
 * Why no policy is asked about a tag, and why it does not count for any: nothing may change it, or it stands for the signature,
 * attestation or bill of materials of an image, with which it ends and never before.
 */
export function keptOf({ name, immutable_by }: ExemptTag): "immutable" | "referrer" | undefined {
  if (immutable_by !== null) return "immutable";
  return isReferrerTag(name) ? "referrer" : undefined;
}

interface ExemptTag {
  readonly name: string;
  readonly immutable_by: string | null;
}
