import { cooperativeYield, JobRejected } from "@plimsoll/store";
import { lockIfThere } from "../../content/queries/blobs.ts";
import { endAliveTags } from "../../content/queries/tags.ts";
import { expireReferrerTags } from "../../content/tags.ts";
import type { Deps } from "../../deps.ts";
import { RegistryError } from "../../errors.ts";
import { writeUsageLogs } from "../../store/usage-log.ts";
import { stepBudget, stepsOfJob } from "../../values/patterns.ts";
import {
  findPrunedNamespace,
  listPrunableTags,
  listPrunedRepositories,
  type PrunableTag,
  type PrunedRepository,
  type PrunePlace,
} from "./queries.ts";
import { keptOf, pruneRules, stepsToJudge, tagJudge } from "./tag-judge.ts";

/**
 * Ends the tags that the policies of a namespace and of its repositories select, in short transactions. The tags can be restored like
 * any deleted tag. A repository whose policies take too long is left out. Can be stopped at any moment and repeated. Does nothing for repositories that accept no pushes, and for disabled
 * namespaces.
 * @throws JobRejected naming repositories that were left out
 */
export async function pruneNamespace(
  context: Pick<Deps, "store" | "clock">,
  { namespaceId, repositoryId }: { readonly namespaceId: string; readonly repositoryId?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { store } = context;
  const namespace = await findPrunedNamespace(store.db, namespaceId);
  if (namespace === undefined) return;
  const failures: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: readonly Omit<PrunedRepository, keyof typeof namespace>[] = await listPrunedRepositories(store.db, {
      ...{ namespaceId, repositoryId, after },
    });
    for (const repository of page) {
      const failure = await pruneOrSay(context, { ...repository, ...namespace }, signal);
      if (failure !== undefined) failures.push(failure);
    }
    after = page.at(-1)?.id;
  }
  if (failures.length > 0) throw new JobRejected(failures.slice(0, 3).join("; "));
}

/** @returns why the policies of a repository cannot be applied; undefined if they were */
async function pruneOrSay(
  context: Pick<Deps, "store" | "clock">,
  repository: PrunedRepository,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await pruneRepository(context, repository, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === "invalid_request")) throw error;
    return error.message;
  }
}

async function pruneRepository(
  context: Pick<Deps, "store" | "clock">,
  repository: PrunedRepository,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const now = clock.now();
  const judge = judgeInTurns(repository, now);
  let ended = 0;
  for (let after: PrunePlace | undefined; ; ) {
    signal.throwIfAborted();
    const page = await listPrunableTags(store.db, { repositoryId: repository.id, now, after });
    after = page.at(-1);
    if (after === undefined) break;
    const selected = await judge(page);
    if (selected.length > 0) ended += await endStep(context, repository, selected);
  }
  if (ended > 0) await endReferrers(context, repository);
}

/** Selects the tags that go, page by page. Each tag is judged within the steps of the job, and other work may run after it. */
function judgeInTurns({ namespace, name, policies }: PrunedRepository, now: number) {
  const rules = pruneRules(policies);
  const judge = tagJudge(rules, now);
  const spend = stepBudget(stepsOfJob, `the tags of ${namespace}/${name} with its prune policies`);
  const yieldToOthers = cooperativeYield();
  return async (page: readonly PrunableTag[]): Promise<readonly PrunableTag[]> => {
    const selected: PrunableTag[] = [];
    for (const tag of page) {
      if (keptOf(tag) !== undefined) continue;
      spend(stepsToJudge(rules, tag));
      if (judge(tag).deleted) selected.push(tag);
      await yieldToOthers();
    }
    return selected;
  };
}

/** Ends tags that have not changed since they were read. @returns how many */
function endStep(
  { store, clock }: Pick<Deps, "store" | "clock">,
  repository: PrunedRepository,
  selected: readonly PrunableTag[],
): Promise<number> {
  const { id: repositoryId, name: repo, namespaceId, namespace } = repository;
  return store.transaction(async (db) => {
    const locked = await lockIfThere(db, repositoryId);
    if (locked?.state !== "NORMAL") return 0;
    const now = clock.now();
    const ended = await endAliveTags(db, { repositoryId, ids: selected.map(({ id }) => id), now });
    const place = { namespaceId, repositoryId, principal: { kind: "anonymous" }, at: now } as const;
    const entries = ended.map((tag) => ({
      kind: "autoprune_tag_delete" as const,
      metadata: { performer: "autoprune worker", namespace, repo, tag },
      ...place,
    }));
    await writeUsageLogs(db, entries);
    return ended.length;
  });
}

/** Ends the tags of signatures, attestations and bills of materials whose images have lost their last tag. */
async function endReferrers(
  { store, clock }: Pick<Deps, "store" | "clock">,
  { id: repositoryId }: PrunedRepository,
): Promise<void> {
  await store.transaction(async (db) => {
    if ((await lockIfThere(db, repositoryId)) === undefined) return;
    await expireReferrerTags(db, { repositoryId, now: clock.now() });
  });
}
