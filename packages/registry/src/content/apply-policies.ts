import { cooperativeYield } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { type Matcher, stepBudget, stepsAtOnce, stepsOfJob } from "../values/patterns.ts";
import { policiesOf, protectedBy, stepsOf } from "./immutability.ts";
import { lockIfThere } from "./queries/blobs.ts";
import { findPolicies, listAliveById, listTagPage, setImmutability, tagsAtOnce } from "./queries/immutability.ts";
import type { TagRow } from "./queries/tags.ts";

/**
 * Applies policies to the tags of a repository, if they are few and quickly matched. Must run in a transaction that has locked the
 * repository, which others wait for meanwhile.
 * @returns whether they were applied; {@link applyInSteps} has to do it otherwise
 */
export async function applyAtOnce(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
  policies: readonly ImmutabilityPolicy[],
): Promise<boolean> {
  const tags = await listTagPage(db, { repositoryId, after: "", now });
  const names = tags.map(({ name }) => name);
  if (tags.length === tagsAtOnce || stepsOf(policies, names) > stepsAtOnce) return false;
  await write(db, changesOf(tags, protectedBy(policies)));
  return true;
}

/**
 * Applies the policies of a repository to all of its tags, in short transactions. Names are matched between the transactions. A change of
 * the policies ends it, since that change applies them itself.
 * @throws RegistryError `invalid_request` if the policies take too long: then tags stay as they are
 */
export async function applyInSteps(
  { store, clock }: { readonly store: RegistryStore; readonly clock: Clock },
  repository: { readonly id: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const found = await findPolicies(store.db, repository.id);
  if (found === undefined) return;
  const policies = policiesOf(found);
  const isProtected = matchedInTurns(protectedBy(policies));
  const spend = stepBudget(stepsOfJob, `the tags of ${repository.name} with its immutability policies`);
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const now = clock.now();
    const tags = await listTagPage(store.db, { repositoryId: repository.id, after, now });
    const names = tags.map(({ name }) => name);
    spend(stepsOf(policies, names));
    const known = await isProtected(names);
    const isUnchanged = await store.transaction(async (db) => {
      const locked = await lockIfThere(db, repository.id);
      if (locked === undefined || textOf(locked) !== textOf(found)) return false;
      const ids = tags.map(({ id }) => id);
      await write(
        db,
        changesOf(await listAliveById(db, { repositoryId: repository.id, ids, now: clock.now() }), known),
      );
      return true;
    });
    const last = tags.at(-1);
    if (last === undefined || !isUnchanged) return;
    after = last.name;
  }
}

/** Matches names one at a time and lets other work run between them. */
function matchedInTurns(isProtected: Matcher): (names: readonly string[]) => Promise<Matcher> {
  const yieldToOthers = cooperativeYield();
  return async (names) => {
    const known = new Set<string>();
    for (const name of names) {
      if (isProtected(name)) known.add(name);
      await yieldToOthers();
    }
    return (name) => known.has(name);
  };
}

function textOf(policies: Parameters<typeof policiesOf>[0]): string {
  return `${policies.immutability_policies}\n${policies.inherited_policies ?? "[]"}`;
}

interface Changes {
  readonly free: readonly TagRow[];
  readonly held: readonly TagRow[];
}

/** The tags that become immutable, and those that no policy protects any more. */
function changesOf(tags: readonly TagRow[], isProtected: Matcher): Changes {
  return {
    free: tags.filter((tag) => tag.immutable_by === null && isProtected(tag.name)),
    held: tags.filter((tag) => tag.immutable_by === "policy" && !isProtected(tag.name)),
  };
}

async function write(db: RegistryDb, { free, held }: Changes): Promise<void> {
  if (free.length > 0) await setImmutability(db, idsOf(free), "policy");
  if (held.length > 0) await setImmutability(db, idsOf(held), null);
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}
