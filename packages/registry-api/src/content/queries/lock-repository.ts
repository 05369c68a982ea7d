import { notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { RepositoryState } from "../../store/tables/content.ts";

/** A repository that no other transaction can change until this one ends. */
export interface LockedRepository {
  readonly state: RepositoryState;
  readonly namespace_id: string;
  /** JSON. */
  readonly immutability_policies: string;
  /** Those of its organization: JSON; null where it has none. */
  readonly inherited_policies: string | null;
}

/**
 * Lets one transaction at a time change the tags and manifests of a repository, until it ends. What is read after this is what
 * holds.
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function lockRepository(db: RegistryDb, repositoryId: string): Promise<LockedRepository> {
  const locked = await lockIfThere(db, repositoryId);
  if (locked === undefined) throw notFound("The repository has just been deleted");
  return locked;
}

/**
 * As {@link lockRepository}; undefined for a repository that is gone. The statement changes nothing: it takes the lock of the row
 * where there is more than one writer.
 */
export async function lockIfThere(db: RegistryDb, repositoryId: string): Promise<LockedRepository | undefined> {
  return db
    .updateTable("image_repository")
    .set(({ ref }) => ({ state: ref("state") }))
    .where("id", "=", repositoryId)
    .returning(["state", "namespace_id", "immutability_policies"])
    .returning(({ selectFrom }) =>
      selectFrom("organization_immutability")
        .select("policies")
        .whereRef("organization_id", "=", "image_repository.namespace_id")
        .as("inherited_policies"),
    )
    .executeTakeFirst();
}
