import { sql } from "kysely";
import { graceMs } from "../../../content/lifetimes.ts";
import type { RegistryDb } from "../../../store/tables/all.ts";

/** The amount of content without a current reference, by the reason why it stays for now. */
export interface Kept {
  /** Ended tags that can still be restored, with their images. */
  readonly tags: number;
  /** Manifests without a tag that were pushed by their digests not long ago. */
  readonly manifests: number;
  /** Blobs of repositories that no manifest has yet, since their push may be under way. */
  readonly links: number;
}

/** Counts the content that the given repositories keep without a current reference. */
export async function countKept(db: RegistryDb, ids: readonly string[], now: number): Promise<Kept> {
  const some = sql.join(ids);
  const { rows } = await sql<Kept>`select
    (select count(*) from tag join image_repository on image_repository.id = tag.repository_id
      join account on account.id = image_repository.namespace_id
      where tag.repository_id in (${some}) and tag.end_at is not null and tag.end_at <= ${now}
        and tag.end_at > ${now} - account.tag_expiration_s * 1000) as tags,
    (select count(*) from image_manifest where repository_id in (${some}) and kept_until > ${now} and deleted_at is null
      and not exists (select 1 from tag where tag.manifest_id = image_manifest.id)) as manifests,
    (select count(*) from repository_blob where repository_id in (${some}) and manifests = 0
      and linked_at > ${now - graceMs.links}) as links`.execute(db);
  const [{ tags, manifests, links } = { tags: 0, manifests: 0, links: 0 }] = rows;
  return { tags: Number(tags), manifests: Number(manifests), links: Number(links) };
}

/** The number of uploads to which bytes were added in the last two days, and their bytes. */
export async function countUploading(db: RegistryDb, now: number) {
  const { uploads, bytes } = await db
    .selectFrom("upload")
    .select(({ fn }) => [fn.countAll<number>().as("uploads"), fn.sum<number | null>("received_bytes").as("bytes")])
    .where("updated_at", ">", now - graceMs.uploads)
    .executeTakeFirstOrThrow();
  return { uploads: Number(uploads), bytes: Number(bytes ?? 0) };
}

/** How many deleted repositories and namespaces wait to be removed. */
export async function countDeleted(db: RegistryDb) {
  const { repositories } = await db
    .selectFrom("image_repository")
    .select(({ fn }) => fn.countAll<number>().as("repositories"))
    .where("state", "=", sql.lit("deleted")) // a literal, so that the partial index is used
    .executeTakeFirstOrThrow();
  const { namespaces } = await db
    .selectFrom("retired_namespace")
    .select(({ fn }) => fn.countAll<number>().as("namespaces"))
    .executeTakeFirstOrThrow();
  return { repositories: Number(repositories), namespaces: Number(namespaces) };
}
