import type { RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type { TagTable } from "../../store/tables/content.ts";
import { aliveTags } from "./tags.ts";

/** Sets what keeps some alive tags from being changed. Those that are immutable do not expire any more. */
export async function setImmutability(
  db: RegistryDb,
  ids: readonly string[],
  by: TagTable["immutable_by"],
): Promise<void> {
  const changes: RowChanges<"tag"> = by === null ? { immutable_by: null } : { immutable_by: by, end_at: null };
  await db.updateTable("tag").set(changes).where("id", "in", ids).execute();
}

/** How many tags are read, and changed, at once. */
export const tagsAtOnce = 500;

/** Some alive tags of a repository, by name. */
export function listJudgedTags(
  db: RegistryDb,
  { repositoryId, after, now }: { readonly repositoryId: string; readonly after: string; readonly now: number },
) {
  return aliveTags(db, repositoryId, now).where("name", ">", after).orderBy("name").limit(tagsAtOnce).execute();
}

/** Replaces the policies of a repository: a JSON text. */
export async function setPolicies(db: RegistryDb, repositoryId: string, policies: string): Promise<void> {
  await db
    .updateTable("image_repository")
    .set({ immutability_policies: policies })
    .where("id", "=", repositoryId)
    .execute();
}
