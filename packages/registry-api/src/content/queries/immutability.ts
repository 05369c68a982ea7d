import type { RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type { TagTable } from "../../store/tables/content.ts";
import { aliveTags } from "./tags.ts";

/** Sets why the given alive tags are immutable; null makes them mutable. Immutable tags no longer expire. */
export async function setImmutability(
  db: RegistryDb,
  ids: readonly string[],
  by: TagTable["immutable_by"],
): Promise<void> {
  const changes: RowChanges<"tag"> = by === null ? { immutable_by: null } : { immutable_by: by, end_at: null };
  await db.updateTable("tag").set(changes).where("id", "in", ids).execute();
}

/** How many tags are read and changed at once. */
export const tagsAtOnce = 500;

/** A page of the alive tags of a repository, ordered by name. */
export function listTagPage(
  db: RegistryDb,
  { repositoryId, after, now }: { readonly repositoryId: string; readonly after: string; readonly now: number },
) {
  return aliveTags(db, repositoryId, now).where("name", ">", after).orderBy("name").limit(tagsAtOnce).execute();
}

/** Replaces the policies of a repository. @param policies JSON */
export async function setPolicies(db: RegistryDb, repositoryId: string, policies: string): Promise<void> {
  await db
    .updateTable("image_repository")
    .set({ immutability_policies: policies })
    .where("id", "=", repositoryId)
    .execute();
}
