import type { Digest } from "@plimsoll/core/digest";
import type { Transaction } from "kysely";
import { notFound } from "../errors.ts";
import {
  addUsage,
  type CountedBlob,
  type CountedRepository,
  uploadingBytes,
} from "../organizations/quotas/queries/usage.ts";
import { releaseUsage, warnOfUsage } from "../organizations/quotas/quota-notices.ts";
import { checkQuota, type UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryDb, RegistryStore, RegistryTables } from "../store/tables/all.ts";
import {
  type BlobLink,
  hasRemoval,
  insertBlob,
  linkBlob,
  linkInOneStatement,
  lockDigest,
  lockRepository,
  unlinkBlob,
} from "./queries/blobs.ts";
import { deleteReceivedUpload, findBlobOf, setUploadDigest } from "./queries/uploads.ts";
import { endRemoval, isUnused, removeFile } from "./remove-file.ts";

/** An upload whose bytes are all received. */
export interface FinishedUpload {
  readonly uploadId: string;
  readonly repository: CountedRepository;
  readonly digest: Digest;
  /** The limits of its namespace. */
  readonly limits: readonly UsageLimit[];
  readonly receivedBytes: number;
  readonly now: number;
}

/**
 * Makes an upload a blob of its repository. The digest is written to the upload's row before the file is committed: after a crash, the
 * row leads to the file, and until then no removal of the same blob can begin. A removal that has begun is finished first.
 * @returns the size of the blob in bytes
 * @throws BlobStoreError `wrong_digest`; RegistryError `not_found` for an upload that was cancelled meanwhile; QuotaExceeded
 */
export async function finishUpload(store: RegistryStore, blobs: BlobStore, upload: FinishedUpload): Promise<number> {
  const { uploadId, digest, receivedBytes: received_bytes, now: updated_at } = upload;
  await setUploadDigest(store, { uploadId, digest, received_bytes, updated_at });
  if (await hasRemoval(store.db, digest)) await endRemoval(store, blobs, digest);
  const sizeBytes = await blobs.commit(uploadId, digest);
  const isThere = await storeUploadAsBlob(store, { ...upload, sizeBytes });
  if (!isThere) {
    await removeFile(store, blobs, { digest, removeRows: (db) => isUnused(db, digest) });
    throw notFound("The upload was cancelled, or its repository deleted");
  }
  await blobs.deleteUpload(uploadId);
  return sizeBytes;
}

/** Replaces the upload's row by the blob's. @returns false if the upload was cancelled: then nothing is written */
async function storeUploadAsBlob(
  store: RegistryStore,
  { uploadId, repository, digest, sizeBytes, limits, now }: FinishedUpload & { readonly sizeBytes: number },
): Promise<boolean> {
  return store.transaction(async (db) => {
    const isThere = await deleteReceivedUpload(db, store, { uploadId, digest });
    if (isThere) await addBlob(store, db, { repository, digest, sizeBytes, limits, now });
    return isThere;
  });
}

/** A blob to link to a repository. */
interface NewBlob extends CountedBlob {
  readonly repository: CountedRepository;
  readonly limits: readonly UsageLimit[];
  readonly now: number;
}

/**
 * Stores the row of a blob, links it to its repository and counts it, as far as the quota allows. Must run under the lock of its
 * digest.
 * @throws QuotaExceeded
 */
async function addBlob(store: RegistryStore, db: Transaction<RegistryTables>, given: NewBlob): Promise<void> {
  const { repository, limits, now } = given;
  const grownTo = await linkAndCountBlob(store, db, given);
  if (grownTo === undefined || limits.length === 0) return;
  const { namespaceId } = repository;
  const sizeBytes = grownTo + (await uploadingBytes(db, namespaceId));
  checkQuota(limits, { sizeBytes, addedBytes: given.sizeBytes });
  await warnOfUsage(db, limits, { namespaceId, sizeBytes: grownTo, now });
}

/** Links a blob of one repository to another. @returns false where the first no longer has it @throws QuotaExceeded */
export async function mountBlob(
  store: RegistryStore,
  mount: Omit<NewBlob, "sizeBytes"> & { readonly fromId: string },
): Promise<boolean> {
  const { fromId, digest } = mount;
  return store.transaction(async (db) => {
    await lockDigest(store, db, digest);
    const source = await findBlobOf(db, fromId, digest);
    if (source !== undefined) await addBlob(store, db, { ...mount, sizeBytes: source.size_bytes });
    return source !== undefined;
  });
}

/** Unlinks a blob from a repository. @returns false where a manifest of the repository needs it: then nothing changes */
export async function unmountBlob(
  store: RegistryStore,
  repository: CountedRepository,
  digest: Digest,
): Promise<boolean> {
  return store.transaction(async (db) => {
    await lockRepository(db, repository.id);
    if (!(await unlinkBlob(db, repository.id, digest))) return false;
    await releaseUsage(db, repository, [digest]);
    return true;
  });
}

/**
 * Links a blob to a repository, or renews the link. Its bytes count for the repository if it did not have the blob, and for the
 * namespace if none of its other repositories had it. Must run in a transaction that has locked the digest. Until it ends, other
 * transactions that change the usage of the namespace wait.
 * @returns the usage of the namespace in bytes if it has grown, otherwise undefined
 */
async function linkAndCountBlob(store: RegistryStore, db: RegistryDb, blob: BlobLink): Promise<number | undefined> {
  return store.kind === "postgres" ? linkInOneStatement(db, blob) : linkStepByStep(db, blob);
}

async function linkStepByStep(db: RegistryDb, { repository, digest, sizeBytes, now }: BlobLink) {
  await insertBlob(db, { digest, size_bytes: sizeBytes, created_at: now });
  const isNew = await linkBlob(db, { repository_id: repository.id, digest, linked_at: now });
  return isNew ? addUsage(db, repository, { digest, sizeBytes }) : undefined;
}
