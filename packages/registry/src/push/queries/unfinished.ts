import { sql } from "kysely";
import { unfinished } from "../../builds/queries.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How many blobs are freed at once. */
const listLength = 500;

/**
 * Blobs that no manifest of their repository has, and that were linked before a pause, by repository; the oldest first. A blob is left out
 * if an upload into its repository began before the pause was over, and is still under way: it may be of the same push. So is the context of
 * a build that waits or runs.
 */
export async function listUnfinished(
  db: RegistryDb,
  { namespaceId, now, pauseMs }: { readonly namespaceId: string; readonly now: number; readonly pauseMs: number },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const until = now - pauseMs;
  const rows = await db
    .selectFrom("image_repository")
    .innerJoin("repository_blob", "repository_blob.repository_id", "image_repository.id")
    .select(["image_repository.id", "repository_blob.digest"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("repository_blob.manifests", "=", sql.lit(0)) // a literal, so that the partial index is used
    .where("repository_blob.linked_at", "<=", until)
    .where(({ not, exists, selectFrom, eb }) =>
      not(
        exists(
          selectFrom("upload")
            .select("upload.id")
            .whereRef("upload.repository_id", "=", "image_repository.id")
            .where("upload.updated_at", ">", until)
            .where("upload.created_at", "<=", eb("repository_blob.linked_at", "+", pauseMs)),
        ),
      ),
    )
    .where(({ not, exists, selectFrom, eb }) =>
      not(
        exists(
          selectFrom("build")
            .select("build.id")
            .whereRef("build.repository_id", "=", "image_repository.id")
            .where("build.phase", "in", unfinished)
            .where("build.source", "like", eb(eb.val("%"), "||", eb("repository_blob.digest", "||", "%"))),
        ),
      ),
    )
    .orderBy("repository_blob.linked_at")
    .limit(listLength)
    .execute();
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, of]) => [id, of.map(({ digest }) => digest)]));
}

/** Deletes the uploads of a namespace to which nothing was added after an instant. @returns how many they were */
export async function deletePausedUploads(db: RegistryDb, namespaceId: string, until: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("upload")
    .where("namespace_id", "=", namespaceId)
    .where("updated_at", "<=", until)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * How many bytes of a namespace belong to no image: blobs that no manifest of their repository has, of pushes in progress or of deleted
 * images, and uploads.
 */
export async function countUnfinished(db: RegistryDb, namespaceId: string): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`select
    coalesce((select sum(blob.size_bytes) from blob where digest in (
      select repository_blob.digest from image_repository
      join repository_blob on repository_blob.repository_id = image_repository.id and repository_blob.manifests = 0
      where image_repository.namespace_id = ${namespaceId})), 0)
    + coalesce((select sum(received_bytes) from upload where namespace_id = ${namespaceId}), 0) as bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}
