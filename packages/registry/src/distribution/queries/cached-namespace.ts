import { compileOnce, type Parameter } from "@plimsoll/store";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The registry that a namespace is a cache of; undefined if it is no cache. */
export async function findCachedRegistry(db: RegistryDb, namespaceId: string): Promise<string | undefined> {
  const [cache] = await findCache(db, { namespaceId });
  return cache?.upstream_registry;
}

const findCache = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("proxy_cache").select("upstream_registry").where("organization_id", "=", parameter("namespaceId")),
);
