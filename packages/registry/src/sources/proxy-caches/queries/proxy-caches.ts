import { compileOnce, type Parameter } from "@plimsoll/store";
import { type Selectable, sql } from "kysely";
import { type AccountRow, enabledRepository, type ImageRepository } from "../../../access/queries.ts";
import type { CallContext } from "../../../context.ts";
import { deleteOldLinks } from "../../../lifecycle/collection/queries/manifests.ts";
import { inChunks } from "../../../store/bounded-reads.ts";
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

interface ListAt {
  readonly repositoryId: string;
  readonly digest: string;
}

/** The last list of the referrers of a manifest: JSON. */
export async function findReferrersText(db: RegistryDb, { repositoryId, digest }: ListAt): Promise<string | undefined> {
  const list = await db
    .selectFrom("proxied_referrers")
    .select("content")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return list?.content;
}

/** Stores a list of referrers, in place of the last one. */
export async function putReferrersText(
  db: RegistryDb,
  { repositoryId, digest }: ListAt,
  content: string,
): Promise<void> {
  await db
    .insertInto("proxied_referrers")
    .values({ repository_id: repositoryId, digest, content })
    .onConflict((conflict) => conflict.columns(["repository_id", "digest"]).doUpdateSet({ content }))
    .execute();
}

/** Deletes lists of manifests that their repositories do not have. */
export async function deleteUnusedReferrers(db: RegistryDb): Promise<void> {
  await db
    .deleteFrom("proxied_referrers")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("image_manifest")
            .select("image_manifest.id")
            .whereRef("image_manifest.repository_id", "=", "proxied_referrers.repository_id")
            .whereRef("image_manifest.digest", "=", "proxied_referrers.digest"),
        ),
      ),
    )
    .execute();
}

/** Deletes a tag with its history. @returns the ids of the manifests to which it pointed */
export async function deleteTag(db: RegistryDb, repositoryId: string, name: string): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom("tag")
    .where("repository_id", "=", repositoryId)
    .where("name", "=", name)
    .returning("manifest_id")
    .execute();
  return [...new Set(rows.map(({ manifest_id }) => manifest_id))];
}

/** The ids of some manifests and those below them, except manifests that were pulled by their own digests. */
export async function listFreed(db: RegistryDb, roots: readonly string[]): Promise<readonly string[]> {
  const freed = new Set<string>();
  for (const root of roots) {
    const { rows } = await sql<{ readonly id: string }>`
      with recursive below(id) as (
        select id from image_manifest where id = ${root}
        union select manifest_child.child_id from manifest_child join below on below.id = manifest_child.manifest_id)
      select image_manifest.id from image_manifest join below on below.id = image_manifest.id
        where not exists (select 1 from proxied_pull where proxied_pull.repository_id = image_manifest.repository_id
          and proxied_pull.reference = image_manifest.digest)`.execute(db);
    for (const { id } of rows) freed.add(id);
  }
  return [...freed];
}

/** Allows manifests to be collected as soon as nothing refers to them. @returns the digests of their blobs */
export async function releaseManifests(db: RegistryDb, ids: readonly string[]): Promise<readonly string[]> {
  const digests = new Set<string>();
  for (const some of inChunks(ids)) {
    await db.updateTable("image_manifest").set({ kept_until: 0 }).where("id", "in", some).execute();
    const blobs = await db.selectFrom("manifest_blob").select("digest").where("manifest_id", "in", some).execute();
    for (const { digest } of blobs) digests.add(digest);
  }
  return [...digests];
}

/** Unlinks those of some blobs that no stored or arriving manifest of a repository needs. @returns the digests of the unlinked blobs */
export async function unlinkFreed(
  db: RegistryDb,
  {
    repositoryId,
    digests,
    now,
  }: { readonly repositoryId: string; readonly digests: readonly string[]; readonly now: number },
): Promise<readonly string[]> {
  const unlinked: string[] = [];
  for (const some of inChunks(digests)) {
    const arriving = await db
      .selectFrom("proxied_blob")
      .select("digest")
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", some)
      .execute();
    const kept = new Set(arriving.map(({ digest }) => digest));
    const free = some.filter((digest) => !kept.has(digest));
    const rows = free.length === 0 ? [] : await deleteOldLinks(db, repositoryId, { digests: free, until: now });
    unlinked.push(...rows.map(({ digest }) => digest));
  }
  return unlinked;
}
