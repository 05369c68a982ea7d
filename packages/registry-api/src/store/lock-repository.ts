import { notFound } from "../errors.ts";
import type { RegistryDb } from "./tables/all.ts";
import type { RepositoryState } from "./tables/content.ts";

/** What is known of a repository that nobody else changes. */
export interface LockedRepository {
  readonly state: RepositoryState;
  readonly namespace_id: string;
}

/**
 * Lets one transaction at a time change the tags and manifests of a repository, until it ends. What is read after this is what
 * holds. The statement changes nothing: it takes the lock of the row where there is more than one writer.
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function lockRepository(db: RegistryDb, repositoryId: string): Promise<LockedRepository> {
  const row = await db
    .updateTable("image_repository")
    .set(({ ref }) => ({ state: ref("state") }))
    .where("id", "=", repositoryId)
    .returning(["state", "namespace_id"])
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}
