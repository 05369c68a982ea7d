import type { CreationKey, ReadFrom } from "../../lists/list-pages.ts";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";

/** A key as it is stored. */
export type ServiceKeyRow = Row<"service_key">;

/** The valid keys of a service: approved, and not expired. */
export function listKeysInForce(db: RegistryDb, service: string, now: number): Promise<readonly ServiceKeyRow[]> {
  return db
    .selectFrom("service_key")
    .selectAll()
    .where("service", "=", service)
    .where("approved_at", "is not", null)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
    .orderBy("created_at")
    .orderBy("kid")
    .execute();
}

/** Some keys that expire after an instant or never, including unapproved ones, the oldest first. */
export async function listKeys(
  db: RegistryDb,
  { expiresAfter, after, limit }: ReadFrom<CreationKey> & { readonly expiresAfter: number },
): Promise<readonly ServiceKeyRow[]> {
  return db
    .selectFrom("service_key")
    .selectAll()
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", expiresAfter)]))
    .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "kid"), ">", tuple(...after)))
    .orderBy("created_at")
    .orderBy("kid")
    .limit(limit)
    .execute();
}

/** The key with that id, of any service. */
export async function findKey(db: RegistryDb, kid: string): Promise<ServiceKeyRow | undefined> {
  return db.selectFrom("service_key").selectAll().where("kid", "=", kid).executeTakeFirst();
}

/** Stores a key. */
export async function insertKey(db: RegistryDb, key: NewRow<"service_key">): Promise<void> {
  await db.insertInto("service_key").values(key).execute();
}

/** Changes a key. */
export async function updateKey(db: RegistryDb, kid: string, changes: RowChanges<"service_key">): Promise<void> {
  await db.updateTable("service_key").set(changes).where("kid", "=", kid).execute();
}

/** Deletes a key. @returns false if there is none */
export async function removeKey(db: RegistryDb, kid: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("service_key").where("kid", "=", kid).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Finds a key of a service by its id; undefined for a key of another service. */
export async function findServiceKey(db: RegistryDb, service: string, kid: string): Promise<ServiceKeyRow | undefined> {
  const keys = db.selectFrom("service_key").selectAll().where("kid", "=", kid);
  return keys.where("service", "=", service).executeTakeFirst();
}

/** How long a key can wait for approval. */
const waitsMs = 86_400_000;

/** Deletes the keys that no superuser has approved in time. The database deletes the notices about them. */
export async function deleteUnapproved(db: RegistryDb, now: number): Promise<void> {
  await db
    .deleteFrom("service_key")
    .where("approved_at", "is", null)
    .where("created_at", "<=", now - waitsMs)
    .execute();
}

/** Deletes the notices about a key that no longer waits for approval. */
export async function withdrawSubmittedKey(db: RegistryDb, kid: string): Promise<void> {
  await db.deleteFrom("user_notification").where("service_key_kid", "=", kid).execute();
}

/** The service of each key that waits for approval. */
export async function listWaitingServices(db: RegistryDb): Promise<readonly string[]> {
  const waiting = await db.selectFrom("service_key").select("service").where("approved_at", "is", null).execute();
  return waiting.map(({ service }) => service);
}

/** The ids of users by their names. */
export function listUserIds(db: RegistryDb, names: readonly string[]) {
  return db.selectFrom("account").select("id").where("kind", "=", "user").where("username", "in", names).execute();
}
