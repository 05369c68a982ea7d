import type { RegistryDb } from "../../store/tables/all.ts";
import { contentOf } from "./manifest-content.ts";

/** The contents of some referrers, by their ids; without those that were collected meanwhile. */
export async function readContents(
  db: RegistryDb,
  referrers: readonly Pick<ReferrerRow, "id">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = referrers.map(({ id }) => id);
  const rows = await db.selectFrom("image_manifest").select(["id", "content"]).where("id", "in", ids).execute();
  const contents = new Map<string, string>();
  for (const row of rows) contents.set(row.id, await contentOf(db, row));
  return contents;
}

/** A manifest in a list of referrers. */
export interface ReferrerRow {
  readonly id: string;
  readonly digest: string;
  readonly media_type: string;
  readonly size_bytes: number;
  readonly artifact_type: string | null;
  readonly config_media_type: string | null;
}

/** A page of the manifests that refer to a subject or are in its fallback list, ordered by digest. */
export function listReferrerRows(db: RegistryDb, wanted: WantedReferrers) {
  const { repositoryId, subject, listed, artifactType, after, size } = wanted;
  let found = db
    .selectFrom("image_manifest")
    .select(["id", "digest", "media_type", "size_bytes", "artifact_type", "config_media_type"])
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .where("digest", ">", after)
    .where(({ or, eb }) =>
      listed.length === 0 ? eb("subject", "=", subject) : or([eb("subject", "=", subject), eb("digest", "in", listed)]),
    )
    .orderBy("digest")
    .limit(size);
  if (artifactType !== "") {
    found = found.where(({ eb, fn }) => eb(fn.coalesce("artifact_type", "config_media_type"), "=", artifactType));
  }
  return found.execute();
}

/** The requested page of referrers. */
export interface WantedReferrers {
  readonly repositoryId: string;
  readonly subject: string;
  /** The digests that the index of the fallback tag lists. */
  readonly listed: readonly string[];
  /** Empty: any. */
  readonly artifactType: string;
  /** The last digest of the page before. */
  readonly after: string;
  readonly size: number;
}

/** The digests of up to `limit` manifests of an index. */
export function listChildren(db: RegistryDb, manifestId: string, limit: number) {
  return db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.child_id")
    .select("image_manifest.digest")
    .where("manifest_child.manifest_id", "=", manifestId)
    .limit(limit)
    .execute();
}
