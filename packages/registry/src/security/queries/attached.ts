import { sql } from "kysely";
import type { ImageManifestRow } from "../../content/queries/manifest-content.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";

/** The digests of some indexes that list a manifest. */
export async function listIndexesOf(db: RegistryDb, manifestId: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.manifest_id")
    .select("image_manifest.digest")
    .where("manifest_child.child_id", "=", manifestId)
    .where("image_manifest.deleted_at", "is", null)
    .orderBy("image_manifest.digest")
    .limit(limit)
    .execute();
  return rows.map(({ digest }) => digest);
}

/** A query for attached artifacts. */
interface WantedArtifacts extends WantedTags {
  /** The digests to which they refer. */
  readonly subjects: readonly string[];
  readonly limit: number;
}

/** A query for the tags by which clients attach artifacts instead of a subject. */
interface WantedTags {
  readonly repositoryId: string;
  readonly tags: readonly string[];
  readonly now: number;
}

/** Some artifacts that are attached to images, by their subject or by a tag. */
export async function listAttached(
  db: RegistryDb,
  { subjects, limit, ...wanted }: WantedArtifacts,
): Promise<readonly Pick<ImageManifestRow, "id" | "digest" | "content" | "size_bytes" | "subject">[]> {
  const tagged = attachingTags(db, wanted).select("tag.manifest_id");
  return db
    .selectFrom("image_manifest")
    .select(["id", "digest", "content", "size_bytes", "subject"])
    .where("repository_id", "=", wanted.repositoryId)
    .where("deleted_at", "is", null)
    .where("is_index", "=", 0)
    .where(({ or, eb }) => or([eb("subject", "in", subjects), eb("id", "in", tagged)]))
    .orderBy("digest")
    .limit(limit)
    .execute();
}

/** The lifetimes of the tags that are alive, with the artifacts that they attach. */
export function listAttachingTags(
  db: RegistryDb,
  wanted: WantedTags,
): Promise<readonly Pick<Row<"tag">, "id" | "manifest_id">[]> {
  return attachingTags(db, wanted).select(["tag.id", "tag.manifest_id"]).execute();
}

/** The query of {@link listAttachingTags} without columns. */
function attachingTags(db: RegistryDb, { repositoryId, tags, now }: WantedTags) {
  return db
    .selectFrom("tag")
    .where("tag.repository_id", "=", repositoryId)
    .where("tag.name", "in", tags)
    .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", now)]));
}

/** Makes images due for counting. Those that were never counted are due anyway. */
export async function countImagesAgain(db: RegistryDb, manifestIds: readonly string[]): Promise<void> {
  for (const some of inChunks(manifestIds)) {
    await db.updateTable("finding_count").set({ due_at: 0 }).where("manifest_id", "in", some).execute();
  }
}

/** The bytes of all artifacts that are attached to some digests, as {@link listAttached} finds them. */
export async function attachedSize(
  db: RegistryDb,
  { subjects, ...wanted }: WantedTags & { readonly subjects: readonly string[] },
): Promise<number> {
  const tagged = attachingTags(db, wanted).select("tag.manifest_id");
  const { bytes } = await db
    .selectFrom("image_manifest")
    .select(sql<number | string | null>`sum(layers_size_bytes)`.as("bytes"))
    .where("repository_id", "=", wanted.repositoryId)
    .where("deleted_at", "is", null)
    .where("is_index", "=", 0)
    .where(({ or, eb }) => or([eb("subject", "in", subjects), eb("id", "in", tagged)]))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0); // a text on PostgreSQL
}
