import { cooperativeYield } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { stepBudget, stepsOfJob } from "../../values/patterns.ts";
import { checkPolicy, completePolicy, type PrunePolicyRequest } from "./prune-policies.ts";
import { listPoliciesFor, listPrunableTags, type PrunePlace, type PrunePolicyRow, tagsPerStep } from "./queries.ts";
import { keptOf, pruneRules, stepsToJudge, tagJudge, type Verdict } from "./tag-judge.ts";

/** A tag in a preview, with the judgements of the policies, or why no policy applies. */
export interface PreviewedTag {
  readonly name: string;
  readonly start_at: number;
  readonly deleted: boolean;
  readonly judgements: Verdict["judgements"];
  /** Why the tag stays regardless of the policies; absent if the policies decide. */
  readonly kept?: "immutable" | "referrer" | "no_policy" | "state";
}

/** An optional policy to try in addition to the stored ones, and the requested page. */
export interface PreviewRequest {
  readonly request?: PrunePolicyRequest;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** The id of the policy to try. */
const tried = "tried";

/** A preview is one request, so it may take a tenth of what a job may. */
const stepsOfPreview = stepsOfJob / 10;

/**
 * A page of the tags of a repository, the newest first, each with the effect that pruning would have now and its reasons. Changes nothing.
 * @throws RegistryError `invalid_request` for a policy that could not be stored, and for policies that take too long
 */
export async function previewPruning(
  { db, now }: Pick<CallContext, "db" | "now">,
  repository: ImageRepository,
  { request, page, limit }: PreviewRequest,
): Promise<{ readonly tags: readonly PreviewedTag[]; readonly hasMore: boolean }> {
  const stored = await listPoliciesFor(db, repository.namespace_id, repository.id);
  const policies = request === undefined ? stored : [...stored, triedPolicy(repository, request, now)];
  const rules = pruneRules(policies);
  const judge = tagJudge(rules, now);
  const spend = stepBudget(stepsOfPreview, "the tags up to this page with the prune policies");
  const yieldToOthers = cooperativeYield();
  const until = page * limit;
  const found: PreviewedTag[] = [];
  let seen = 0;
  for (let after: PrunePlace | undefined; seen <= until; ) {
    const size = Math.min(tagsPerStep, until + 1 - seen);
    const tags = await listPrunableTags(db, { repositoryId: repository.id, now, after, limit: size });
    after = tags.at(-1);
    if (after === undefined) break;
    for (const tag of tags) {
      const { name, start_at } = tag;
      const kept = keptOf(tag);
      if (kept === undefined) spend(stepsToJudge(rules, tag));
      const verdict = kept ?? judge(tag);
      await yieldToOthers();
      if (seen++ >= until - limit) found.push({ name, start_at, ...shown(verdict, repository.state) });
    }
  }
  return { tags: found.slice(0, limit), hasMore: found.length > limit };
}

function triedPolicy({ namespace_id, id }: ImageRepository, request: PrunePolicyRequest, now: number): PrunePolicyRow {
  const values = checkPolicy(completePolicy(request));
  return { id: tried, namespace_id, repository_id: id, created_at: now, ...values };
}

function shown(
  verdict: Verdict | "immutable" | "referrer",
  state: ImageRepository["state"],
): Omit<PreviewedTag, "name" | "start_at"> {
  if (typeof verdict === "string") return { deleted: false, judgements: [], kept: verdict };
  if (state !== "NORMAL") return { deleted: false, judgements: verdict.judgements, kept: "state" };
  return verdict.judgements.length === 0 ? { ...verdict, kept: "no_policy" } : verdict;
}
