import type { ReadFrom } from "../../lists/read-from.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { referrerTagsOf } from "../referrer-tags.ts";

/** A manifest that is attached to another. */
export interface AttachedManifest {
  readonly digest: string;
  readonly media_type: string;
  readonly artifact_type: string | null;
  readonly config_media_type: string | null;
  readonly size_bytes: number;
  readonly created_at: number;
}

/** The image whose attached manifests are listed. */
export interface AttachedTo {
  readonly repositoryId: string;
  readonly subject: string;
  readonly now: number;
}

/** A page of the manifests that refer to an image, or that clients have attached with referrer tags instead, ordered by digest. */
export async function listAttachedManifests(
  db: RegistryDb,
  { repositoryId, subject, now }: AttachedTo,
  { after, limit }: ReadFrom<readonly [digest: string]>,
): Promise<readonly AttachedManifest[]> {
  const tagged = db
    .selectFrom("tag")
    .select("tag.manifest_id")
    .where("tag.repository_id", "=", repositoryId)
    .where("tag.name", "in", referrerTagsOf(subject))
    .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", now)]));
  return db
    .selectFrom("image_manifest")
    .select(["digest", "media_type", "artifact_type", "config_media_type", "size_bytes", "created_at"])
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .where(({ or, eb }) => or([eb("subject", "=", subject), eb("id", "in", tagged)]))
    .where("digest", ">", after[0])
    .orderBy("digest")
    .limit(limit)
    .execute();
}
