import { compileOnce, type Parameter } from "@plimsoll/store";
import type { Selectable } from "kysely";
import type { AccountRow } from "../../../access/queries/accounts.ts";
import { enabledRepository, type ImageRepository } from "../../../access/queries/image-repositories.ts";
import type { CallContext } from "../../../context.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";
import type { ProxyCacheTable } from "../../../store/tables/upstreams.ts";

/** A proxy cache as it is stored. */
export type ProxyCacheRow = Selectable<ProxyCacheTable>;

/** The proxy cache of an organization. */
export async function findProxyCache(
  { db }: Pick<CallContext, "db">,
  { id }: Pick<AccountRow, "id">,
): Promise<ProxyCacheRow | undefined> {
  return db.selectFrom("proxy_cache").selectAll().where("organization_id", "=", id).executeTakeFirst();
}

/** Stores a proxy cache. @returns false if the organization has one already */
export async function insertProxyCache(db: RegistryDb, cache: NewRow<"proxy_cache">): Promise<boolean> {
  const inserted = await db
    .insertInto("proxy_cache")
    .values(cache)
    .onConflict((conflict) => conflict.doNothing())
    .returning("organization_id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Deletes the proxy cache of an organization. @returns false if it has none */
export async function removeProxyCache(db: RegistryDb, organizationId: string): Promise<boolean> {
  const deleted = await db.deleteFrom("proxy_cache").where("organization_id", "=", organizationId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** The proxy cache of a namespace. */
export async function findCacheOf(db: RegistryDb, namespaceId: string): Promise<ProxyCacheRow | undefined> {
  const [cache] = await findCache(db, { namespaceId });
  return cache;
}

const findCache = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("proxy_cache").selectAll().where("organization_id", "=", parameter("namespaceId")),
);

/** A repository that can store pulled images: in the state `NORMAL`, of an enabled namespace. */
export async function findPulledRepository(db: RegistryDb, id: string): Promise<ImageRepository | undefined> {
  return enabledRepository(db, id).where("image_repository.state", "=", "NORMAL").executeTakeFirst();
}
