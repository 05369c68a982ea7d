import type { RegistryDb } from "../../store/tables/all.ts";

/** A way by which a document is attached: by the lifetime of a tag, or by its subject (an empty `tagId`). */
export interface AttachedWay {
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
