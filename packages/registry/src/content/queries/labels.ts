import type { Selectable } from "kysely";
import type { ReadFrom } from "../../lists/read-from.ts";
import { afterPrefix } from "../../store/prefixes.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";
import type { ManifestLabelTable } from "../../store/tables/content.ts";

/** A label as it is stored. */
export type LabelRow = Selectable<ManifestLabelTable>;

/** The sort key of a label among those of its manifest. */
export type LabelKey = readonly [key: string, createdAt: number, id: string];

/** A page of the labels of a manifest whose keys begin with a prefix, ordered by key. */
export async function listLabels(
  db: RegistryDb,
  manifestId: string,
  { prefix = "", after, limit }: ReadFrom<LabelKey> & { readonly prefix?: string | undefined },
): Promise<readonly LabelRow[]> {
  return db
    .selectFrom("manifest_label")
    .selectAll()
    .where("manifest_id", "=", manifestId)
    .where("key", "<", afterPrefix(prefix))
    .where(({ eb, refTuple, tuple }) => eb(refTuple("key", "created_at", "id"), ">", tuple(...after)))
    .orderBy("key")
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Stores a label. */
export async function insertLabel(db: RegistryDb, label: NewRow<"manifest_label">): Promise<void> {
  await db.insertInto("manifest_label").values(label).execute();
}

/** The label of a manifest with that id. */
export async function findLabel(db: RegistryDb, manifestId: string, id: string): Promise<LabelRow | undefined> {
  const labels = db.selectFrom("manifest_label").selectAll().where("manifest_id", "=", manifestId);
  return labels.where("id", "=", id).executeTakeFirst();
}

/** Deletes a label. */
export async function removeLabel(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("manifest_label").where("id", "=", id).execute();
}

/** Adds to the bytes of a manifest that count for its namespace. @param byBytes negative for a label that was removed */
export async function resizeManifest(db: RegistryDb, id: string, byBytes: number): Promise<void> {
  await db
    .updateTable("image_manifest")
    .set(({ eb }) => ({ metadata_bytes: eb("metadata_bytes", "+", byBytes) }))
    .where("id", "=", id)
    .execute();
}
