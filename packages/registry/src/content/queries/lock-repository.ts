import { notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { RepositoryState } from "../../store/tables/content.ts";

/** A repository that is locked until the transaction ends. */
export interface LockedRepository {
  readonly state: RepositoryState;
  readonly namespace_id: string;
  /** JSON. */
  readonly immutability_policies: string;
  /** The policies of its organization: JSON; null if there are none. */
  readonly inherited_policies: string | null;
}

/**
 * Locks a repository until the transaction ends: no other transaction can change its tags and manifests. Rows that were read before
 * the lock may be outdated; read them again.
 * @throws RegistryError `not_found` for a repository that is gone
 */
export async function lockRepository(db: RegistryDb, repositoryId: string): Promise<LockedRepository> {
  const locked = await lockIfThere(db, repositoryId);
  if (locked === undefined) throw notFound("The repository has just been deleted");
  return locked;
}

/**
 * As {@link lockRepository}, but undefined for a repository that is gone. The statement changes no value; on PostgreSQL it locks the
 * row.
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
