import type { RegistryDb } from "../../store/tables/all.ts";

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
