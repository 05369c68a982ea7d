import { cooperativeYield } from "@plimsoll/store";
import { expireReferrerTags } from "../content/expire-referrer-tags.ts";
import { lockIfThere } from "../content/queries/lock-repository.ts";
import { endAliveTags } from "../content/queries/tags.ts";
import { writeUsageLogs } from "../logs/queries/new-entries.ts";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import {
  findPrunedNamespace,
  listPrunableTags,
  listPrunedRepositories,
  type PrunableTag,
  type PrunedRepository,
  type PrunePlace,
} from "./queries/runs.ts";
import { keptOf, pruneRules, tagJudge } from "./tag-judge.ts";

/** What {@link pruneNamespace} needs. */
export interface PruneContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/**
 * Ends the tags that the policies of a namespace and of its repositories select, in short transactions. The tags can be restored like
 * any deleted tag. Can be stopped at any moment and repeated. Does nothing for repositories that accept no pushes, and for disabled
 * namespaces.
 */
export async function pruneNamespace(
  context: PruneContext,
  { namespaceId, repositoryId }: { readonly namespaceId: string; readonly repositoryId?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { store } = context;
  const namespace = await findPrunedNamespace(store.db, namespaceId);
  if (namespace === undefined) return;
  for (let after = ""; ; ) {
    const page = await listPrunedRepositories(store.db, { namespaceId, repositoryId, after });
    for (const repository of page) await pruneRepository(context, { ...repository, ...namespace }, signal);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function pruneRepository(
  context: PruneContext,
  repository: PrunedRepository,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const now = clock.now();
  const judge = tagJudge(pruneRules(repository.policies), now);
  const yieldToOthers = cooperativeYield();
  let ended = 0;
  for (let after: PrunePlace | undefined; ; ) {
    signal.throwIfAborted();
    const page = await listPrunableTags(store.db, { repositoryId: repository.id, now, after });
    after = page.at(-1);
    if (after === undefined) break;
    const selected = page.filter((tag) => keptOf(tag) === undefined && judge(tag).goes);
    if (selected.length > 0) ended += await endStep(context, repository, selected);
    await yieldToOthers();
  }
  if (ended > 0) await endReferrers(context, repository);
}

/** Ends tags that have not changed since they were read. @returns how many */
function endStep(
  { store, clock }: PruneContext,
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
async function endReferrers({ store, clock }: PruneContext, { id: repositoryId }: PrunedRepository): Promise<void> {
  await store.transaction(async (db) => {
    if ((await lockIfThere(db, repositoryId)) === undefined) return;
    await expireReferrerTags(db, { repositoryId, now: clock.now() });
  });
}
