import { sql } from "kysely";
import { deleteOldLinks } from "../../../lifecycle/collection/queries/manifests.ts";
import { inChunks } from "../../../store/bounded-reads.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

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
