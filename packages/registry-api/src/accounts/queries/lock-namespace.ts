import type { RegistryDb } from "../../store/tables/all.ts";

/**
 * Lets one transaction at a time do something for a namespace, until it ends. The statement changes nothing: it takes the lock of the
 * row where there is more than one writer. It names no key: for one, SQLite counts all rows that refer to it, which are all
 * repositories, robots and teams of the namespace.
 */
export async function lockNamespace(db: RegistryDb, namespaceId: string): Promise<void> {
  await db
    .updateTable("account")
    .set(({ ref }) => ({ enabled: ref("enabled") }))
    .where("id", "=", namespaceId)
    .execute();
}
