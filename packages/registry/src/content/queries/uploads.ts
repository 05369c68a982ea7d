import type { Digest } from "@plimsoll/core/digest";
import { together } from "@plimsoll/store";
import { sql, type Transaction } from "kysely";
import type { NewRow, RegistryDb, RegistryStore, RegistryTables, RowChanges } from "../../store/tables/all.ts";
import { digestLock } from "./blobs.ts";

/** Deletes an upload under the lock of its digest. @returns false if the upload was cancelled */
export async function deleteReceivedUpload(
  db: Transaction<RegistryTables>,
  store: RegistryStore,
  { uploadId, digest }: { readonly uploadId: string; readonly digest: Digest },
): Promise<boolean> {
  const { upload } = await together(db, {
    locked: digestLock(store, db, digest),
    upload: db.deleteFrom("upload").where("id", "=", uploadId).returning("id"),
  });
  return upload.length > 0;
}

/**
 * Sets the digest of an upload under the lock of that digest. Removals of the same blob that begin later see the upload; the next
 * statement of this process sees removals that began before.
 */
export async function setUploadDigest(store: RegistryStore, { uploadId, ...row }: NamedUpload): Promise<void> {
  await together(store.db, {
    locked: digestLock(store, store.db, row.digest),
    named: store.db.updateTable("upload").set(row).where("id", "=", uploadId).returning("id"),
  });
}

/** A fully received upload and its digest. */
interface NamedUpload extends Pick<NewRow<"upload">, "received_bytes" | "updated_at"> {
  readonly uploadId: string;
  readonly digest: Digest;
}

/** Whether an upload is about to become the blob with that digest. */
export async function isUploadDigest(db: RegistryDb, digest: string): Promise<boolean> {
  const upload = await db.selectFrom("upload").select("id").where("digest", "=", digest).executeTakeFirst();
  return upload !== undefined;
}

/** Whether the blob exists. */
export async function hasBlob(db: RegistryDb, digest: string): Promise<boolean> {
  const blob = await db.selectFrom("blob").select("digest").where("digest", "=", digest).executeTakeFirst();
  return blob !== undefined;
}

/** The size of a blob of a repository, unless it is damaged. */
export function findBlobOf(db: RegistryDb, repositoryId: string, digest: string) {
  return db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select("blob.size_bytes")
    .where("repository_id", "=", repositoryId)
    .where("repository_blob.digest", "=", digest)
    .where("blob.damaged_at", "is", null)
    .executeTakeFirst();
}

/** Changes an upload. */
export async function updateUpload(db: RegistryDb, id: string, changes: RowChanges<"upload">): Promise<void> {
  await db.updateTable("upload").set(changes).where("id", "=", id).execute();
}

/** Stores an upload. */
export async function insertUpload(db: RegistryDb, upload: NewRow<"upload">): Promise<void> {
  await db.insertInto("upload").values(upload).execute();
}

/** Deletes an upload. */
export async function removeUploadRow(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom("upload").where("id", "=", id).execute();
}

/**
 * Raises the received bytes of an upload to a number, never lowers them, and sets its digest if it is known. The upload has not paused.
 * @returns false if the upload was cancelled
 */
export async function growUpload(
  db: RegistryDb,
  id: string,
  { toBytes, digest, now }: { readonly toBytes: number; readonly digest: Digest | undefined; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("upload")
    .set(({ eb, ref }) => ({
      received_bytes: eb
        .case()
        .when("received_bytes", "<", toBytes)
        .then(sql<number>`cast(${toBytes} as bigint)`)
        .else(ref("received_bytes"))
        .end(),
      updated_at: now,
      digest,
    }))
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * As {@link insertUpload}.
 * @returns how many uploads its owner has, counted up to a number; this one may be among them. Uploads that are stored at the same moment may be missed
 */
export async function insertAndCountUpload(db: RegistryDb, upload: NewRow<"upload">, upTo: number): Promise<number> {
  const { counted } = await together(db, {
    added: db.insertInto("upload").values(upload),
    counted: countingUploads(db, upload, upTo),
  });
  return Number(counted[0]?.count ?? 0);
}

/** How many uploads an owner has, counted up to a number. */
export async function countUploads(db: RegistryDb, owner: UploadOwner, upTo: number): Promise<number> {
  const { count } = await countingUploads(db, owner, upTo).executeTakeFirstOrThrow();
  return Number(count);
}

/** The account in a namespace; for a token without an account, all such tokens in the repository. */
type UploadOwner = Pick<NewRow<"upload">, "namespace_id" | "repository_id" | "account_id">;

function countingUploads(db: RegistryDb, { namespace_id, repository_id, account_id }: UploadOwner, upTo: number) {
  const all = db.selectFrom("upload").select("id").where("namespace_id", "=", namespace_id);
  const own =
    account_id === null || account_id === undefined
      ? all.where("repository_id", "=", repository_id).where("account_id", "is", null)
      : all.where("account_id", "=", account_id);
  return db.selectFrom(own.limit(upTo).as("counted")).select(({ fn }) => fn.countAll<number>().as("count"));
}
