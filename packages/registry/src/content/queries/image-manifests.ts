import { isDigest } from "@plimsoll/core/digest";
import { compileOnce, type Parameter } from "@plimsoll/store";
import { type Selectable, sql } from "kysely";
import { notFound } from "../../errors.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ImageManifestTable } from "../../store/tables/content.ts";

/** An image manifest as it is stored. */
export type ImageManifestRow = Selectable<ImageManifestTable>;

/** The key of an image manifest. */
export interface ManifestIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** An image manifest of a repository, even if it was deleted and is not collected yet. */
export async function findStoredManifest(
  db: RegistryDb,
  { repositoryId, digest }: ManifestIn,
): Promise<ImageManifestRow | undefined> {
  if (!isDigest(digest)) return undefined;
  const [manifest] = await findStored(db, { repositoryId, digest });
  return manifest;
}

const findStored = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; digest: string }>) =>
  db
    .selectFrom("image_manifest")
    .selectAll()
    .where("repository_id", "=", parameter("repositoryId"))
    .where("digest", "=", parameter("digest")),
);

/** The manifest of an alive tag. */
export async function findTaggedManifest(
  db: RegistryDb,
  tag: { readonly repositoryId: string; readonly name: string; readonly now: number },
): Promise<ImageManifestRow | undefined> {
  const [manifest] = await findTagged(db, tag);
  return manifest;
}

const findTagged = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; name: string; now: number }>) =>
    db
      .selectFrom("tag")
      .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
      .selectAll("image_manifest")
      .where("tag.repository_id", "=", parameter("repositoryId"))
      .where("tag.name", "=", parameter("name"))
      .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", parameter("now"))]))
      .orderBy(sql`+tag.start_at`, "desc") // without `+`, SQLite would read all tags of the repository in this order
      .limit(1),
);

/**
 * An image manifest that clients of a repository can see. It was not deleted. If a tag of it has ended, another one is alive, or an index
 * lists it.
 */
export async function findShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow | undefined> {
  const row = await findStoredManifest(db, manifest);
  if (row === undefined || row.deleted_at !== null) return undefined;
  const ended = await db
    .selectFrom("tag")
    .select("end_at")
    .where("manifest_id", "=", row.id)
    .where("end_at", "<=", manifest.now)
    .limit(1)
    .executeTakeFirst();
  if (ended === undefined) return row;
  const alive = await db
    .selectFrom("tag")
    .select("id")
    .where("manifest_id", "=", row.id)
    .where((where) => where.or([where("end_at", "is", null), where("end_at", ">", manifest.now)]))
    .limit(1)
    .executeTakeFirst();
  if (alive !== undefined) return row;
  const parent = db.selectFrom("manifest_child").select("manifest_id").where("child_id", "=", row.id).limit(1);
  return (await parent.executeTakeFirst()) === undefined ? undefined : row;
}

/** The image manifest that a repository shows under a digest. @throws RegistryError `not_found` */
export async function getShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow> {
  const row = await findShownManifest(db, manifest);
  if (row === undefined)
    throw notFound("The repository has no manifest with that digest: list its tags to see the digests");
  return row;
}

/** The digest of a manifest; null if the manifest is gone. */
export async function digestOf(db: RegistryDb, manifestId: string): Promise<string | null> {
  const manifest = db.selectFrom("image_manifest").select("digest").where("id", "=", manifestId);
  return (await manifest.executeTakeFirst())?.digest ?? null;
}
