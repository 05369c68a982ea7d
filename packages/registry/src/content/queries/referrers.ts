import type { ReadFrom } from "../../lists/list-pages.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { referrerTagsOf } from "../referrer-tags.ts";
import { contentOf } from "./manifest-content.ts";

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
interface AttachedTo {
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
interface WantedReferrers {
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

/** A way by which a document is attached: by the lifetime of a tag, or by its subject (an empty `tagId`). */
interface AttachedWay {
  /** The artifact with the document. */
  readonly manifestId: string;
  readonly tagId: string;
}

/** Stores that an account has attached a document. */
export async function insertAttacher(
  db: RegistryDb,
  { manifestId, tagId, accountId, now }: AttachedWay & { readonly accountId: string; readonly now: number },
): Promise<void> {
  await db
    .insertInto("document_attacher")
    .values({ manifest_id: manifestId, tag_id: tagId, account_id: accountId, attached_at: now })
    .onConflict((conflict) => conflict.columns(["manifest_id", "tag_id", "account_id"]).doNothing())
    .execute();
}

/** Deletes who has attached a document in one way. */
export async function forgetAttachers(db: RegistryDb, { manifestId, tagId }: AttachedWay): Promise<void> {
  await db.deleteFrom("document_attacher").where("manifest_id", "=", manifestId).where("tag_id", "=", tagId).execute();
}

/** An account that has attached a document. */
export interface AttacherRow {
  readonly manifest_id: string;
  readonly tag_id: string;
  readonly account_id: string;
  readonly username: string;
}

/** Some accounts that have attached the given artifacts, in the order of their names. Disabled accounts are left out. */
export function listAttachers(
  db: RegistryDb,
  manifestIds: readonly string[],
  limit: number,
): Promise<readonly AttacherRow[]> {
  return db
    .selectFrom("document_attacher")
    .innerJoin("account", "account.id", "document_attacher.account_id")
    .select(["manifest_id", "tag_id", "account_id", "account.username"])
    .where("manifest_id", "in", manifestIds)
    .where("account.enabled", "=", 1)
    .orderBy("account.username")
    .limit(limit)
    .execute();
}
