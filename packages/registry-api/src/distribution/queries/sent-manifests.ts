import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { ImageManifestRow } from "../../content/queries/image-manifests.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A manifest to send. Long content is null: {@link findManifestContent} reads it when it can be sent. */
export type SentManifestRow = Omit<ImageManifestRow, "content"> & { readonly content: string | null };

/** Longer content is not read with its row, since many requests at once would hold it in memory. */
const longContentBytes = 64 * 1024;

const shortContent = sql<string | null>`case when image_manifest.size_bytes <= ${sql.lit(longContentBytes)}
  then image_manifest.content end`.as("content");

const columns = [
  ...(["image_manifest.id", "image_manifest.repository_id", "digest", "media_type", "artifact_type"] as const),
  ...(["config_media_type", "subject", "size_bytes", "layers_size_bytes", "is_index"] as const),
  ...(["image_manifest.created_at", "kept_until", "deleted_at", "metadata_bytes", "security_revision"] as const),
] as const;

/** The manifest with a digest, unless it was deleted. */
export async function findSentByDigest(
  db: RegistryDb,
  manifest: { readonly repositoryId: string; readonly digest: string },
): Promise<SentManifestRow | undefined> {
  const [row] = await findByDigest(db, manifest);
  return row;
}

const findByDigest = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  db
    .selectFrom("image_manifest")
    .select([...columns, shortContent])
    .where("repository_id", "=", parameter("repositoryId"))
    .where("digest", "=", parameter("digest"))
    .where("deleted_at", "is", null),
);

/** The manifest of an alive tag. */
export async function findSentByTag(
  db: RegistryDb,
  tag: { readonly repositoryId: string; readonly name: string; readonly now: number },
): Promise<SentManifestRow | undefined> {
  const [row] = await findByTag(db, tag);
  return row;
}

const findByTag = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; name: string; now: number }>) =>
    db
      .selectFrom("tag")
      .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
      .select([...columns, shortContent])
      .where("tag.repository_id", "=", parameter("repositoryId"))
      .where("tag.name", "=", parameter("name"))
      .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", parameter("now"))]))
      .orderBy(sql`+tag.start_at`, "desc") // without `+`, SQLite would read all tags of the repository in this order
      .limit(1),
);

/** The content of a manifest; undefined if it was collected meanwhile. */
export async function findManifestContent(db: RegistryDb, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("image_manifest").select("content").where("id", "=", id).executeTakeFirst();
  return row?.content;
}
