import { cooperativeYield } from "@plimsoll/store";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ImmutabilityPolicy } from "../store/tables/content.ts";
import { protectedBy } from "./immutability.ts";
import { listTagPage, setImmutability } from "./queries/immutability.ts";

/** Applies policies to every tag of a repository. Must run in a transaction that has locked the repository. */
export async function applyPolicies(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
  policies: readonly ImmutabilityPolicy[],
): Promise<void> {
  const isProtected = protectedBy(policies);
  const yieldToOthers = cooperativeYield();
  for (let after = ""; ; ) {
    const tags = await listTagPage(db, { repositoryId, after, now });
    const free = tags.filter((tag) => tag.immutable_by === null && isProtected(tag.name));
    if (free.length > 0) await setImmutability(db, idsOf(free), "policy");
    const held = tags.filter((tag) => tag.immutable_by === "policy" && !isProtected(tag.name));
    if (held.length > 0) await setImmutability(db, idsOf(held), null);
    const last = tags.at(-1);
    if (last === undefined) return;
    after = last.name;
    await yieldToOthers();
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id);
}
