import type { RegistryDb, RowChanges } from "../../store/tables/all.ts";
import type { TagTable } from "../../store/tables/content.ts";
import type { LockedRepository } from "./blobs.ts";
import { aliveTags, type TagRow } from "./tags.ts";

/** The policies that apply to a repository: JSON. */
type StoredPolicies = Pick<LockedRepository, "immutability_policies" | "inherited_policies">;

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

/** Those of the given tags of a repository that are still alive. */
export async function listAliveById(
  db: RegistryDb,
  { repositoryId, ids, now }: { readonly repositoryId: string; readonly ids: readonly string[]; readonly now: number },
): Promise<readonly TagRow[]> {
  return ids.length === 0 ? [] : aliveTags(db, repositoryId, now).where("id", "in", ids).execute();
}

/** The policies of a repository and of its organization; undefined for a repository that is gone. */
export async function findPolicies(db: RegistryDb, repositoryId: string): Promise<StoredPolicies | undefined> {
  return db
    .selectFrom("image_repository")
    .leftJoin("organization_immutability", "organization_id", "namespace_id")
    .select(["immutability_policies", "policies as inherited_policies"])
    .where("image_repository.id", "=", repositoryId)
    .where("state", "!=", "deleted")
    .executeTakeFirst();
}

/** Replaces the policies of a repository. @param policies JSON */
export async function setPolicies(db: RegistryDb, repositoryId: string, policies: string): Promise<void> {
  await db
    .updateTable("image_repository")
    .set({ immutability_policies: policies })
    .where("id", "=", repositoryId)
    .execute();
}

/** The policies of an organization as JSON; undefined if it never had one. */
export async function findOrganizationPolicies(db: RegistryDb, organizationId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom("organization_immutability")
    .select("policies")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return found?.policies;
}

/** The policies of an organization as JSON. Locks them until the transaction ends; inserts the row if there is none. */
export async function lockOrganizationPolicies(db: RegistryDb, organizationId: string): Promise<string> {
  const { policies } = await db
    .insertInto("organization_immutability")
    .values({ organization_id: organizationId, policies: "[]" })
    .onConflict((conflict) =>
      conflict
        .column("organization_id")
        .doUpdateSet(({ ref }) => ({ policies: ref("organization_immutability.policies") })),
    )
    .returning("policies")
    .executeTakeFirstOrThrow();
  return policies;
}

/** Replaces the policies of an organization. @param policies JSON */
export async function setOrganizationPolicies(db: RegistryDb, organizationId: string, policies: string): Promise<void> {
  await db
    .updateTable("organization_immutability")
    .set({ policies })
    .where("organization_id", "=", organizationId)
    .execute();
}

/** How many repositories are listed at once. */
const repositoriesAtOnce = 500;

/** A page of the repositories of a namespace that are not deleted, ordered by name. @param page.repositoryId only this one */
export function listRepositoriesOf(
  db: RegistryDb,
  page: { readonly namespaceId: string; readonly repositoryId?: string | undefined; readonly after: string },
) {
  const { namespaceId, repositoryId, after } = page;
  return db
    .selectFrom("image_repository")
    .select(["id", "name"])
    .where("namespace_id", "=", namespaceId)
    .where("state", "!=", "deleted")
    .where("name", ">", after)
    .$if(repositoryId !== undefined, (query) => query.where("id", "=", repositoryId ?? ""))
    .orderBy("name")
    .limit(repositoriesAtOnce)
    .execute();
}
