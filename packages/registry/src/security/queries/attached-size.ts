import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import { attachingTags, type WantedTags } from "./attached.ts";

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
