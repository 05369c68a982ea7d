import type { Digest } from "@plimsoll/core";
import type { Transaction } from "kysely";
import { notFound } from "../errors.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import { type CountedBlob, type CountedRepository, uploadingBytes } from "../quotas/queries/usage.ts";
import { warnOfUsage } from "../quotas/quota-notices.ts";
import { checkQuota, type UsageLimit } from "../quotas/usage-limits.ts";
import type { RegistryDb, RegistryStore, RegistryTables } from "../store/tables/all.ts";
import { enterBlob } from "./enter-blob.ts";
import { lockDigest } from "./queries/blobs.ts";
import { findBlobOf, hasBlob, takeUpload, updateUpload } from "./queries/uploads.ts";

/** An upload whose bytes are all received. */
export interface FinishedUpload {
  readonly uploadId: string;
  readonly repository: CountedRepository;
  readonly digest: Digest;
  /** What its namespace may use. */
  readonly limits: readonly UsageLimit[];
  /** How many bytes count for the quota until the upload is a blob. */
  readonly countedBytes: number;
  /** Whether the upload's row names the digest. */
  readonly isNamed: boolean;
  readonly now: number;
}

/** How often a blob is stored again when it was collected meanwhile. */
const attempts = 5;

/**
 * Makes an upload a blob of its repository. The row names the digest before the file is there, so that a file without a row can
 * be found after a crash; and the file is looked for once more under the lock under which blobs are collected, so that a
 * collection that had just begun to remove the same blob takes nothing from this one.
 * @returns how many bytes it has
 * @throws BlobStoreError `wrong_digest`; RegistryError `not_found` for an upload that is over meanwhile; QuotaExceeded
 */
export async function finishUpload(store: RegistryStore, blobs: BlobStore, upload: FinishedUpload): Promise<number> {
  const { uploadId, digest, countedBytes: received_bytes, isNamed, now } = upload;
  if (!isNamed) {
    const row = { digest, received_bytes, updated_at: now };
    await updateUpload(store.db, uploadId, row);
  }
  for (let attempt = 1; ; attempt++) {
    const sizeBytes = await blobs.commit(uploadId, digest);
    if (await enterUpload(store, blobs, { ...upload, sizeBytes })) {
      await blobs.deleteUpload(uploadId);
      return sizeBytes;
    }
    if (attempt === attempts) throw new Error(`the blob ${digest} is not kept by its store`);
  }
}

/** @returns false where the blob has been collected since it was stored: nothing is entered */
async function enterUpload(
  store: RegistryStore,
  blobs: BlobStore,
  { uploadId, repository, digest, sizeBytes, limits, now }: FinishedUpload & { readonly sizeBytes: number },
): Promise<boolean> {
  const entering = store.transaction(async (db) => {
    const isThere = await takeUpload(db, store, { uploadId, digest });
    if (!isThere) {
      await removeUnentered(db, blobs, digest);
      throw notFound("The upload was cancelled, or its repository deleted");
    }
    if ((await blobs.find(digest)) === undefined) throw new BlobCollected();
    await giveBlob(store, db, { repository, digest, sizeBytes, limits, now });
    return true;
  });
  return entering.catch((error: unknown) => {
    if (error instanceof BlobCollected) return false;
    throw error;
  });
}

/** The blob is not in its store any more: the transaction is not kept. */
class BlobCollected extends Error {
  override readonly name = "BlobCollected";
}

/** A blob to link to a repository. */
interface GivenBlob extends CountedBlob {
  readonly repository: CountedRepository;
  readonly limits: readonly UsageLimit[];
  readonly now: number;
}

/**
 * Stores the row of a blob, links it to its repository and counts it, as far as the quota allows. Must run under the lock of its
 * digest.
 * @throws QuotaExceeded
 */
async function giveBlob(store: RegistryStore, db: Transaction<RegistryTables>, given: GivenBlob): Promise<void> {
  const { repository, limits, now } = given;
  const grownTo = await enterBlob(store, db, given);
  if (grownTo === undefined || limits.length === 0) return;
  const { namespaceId } = repository;
  checkQuota(limits, grownTo + (await uploadingBytes(db, namespaceId)));
  await warnOfUsage(db, limits, { namespaceId, sizeBytes: grownTo, now });
}

/** Removes the file of a blob that was never entered. Must run under the lock of the digest. */
export async function removeUnentered(db: RegistryDb, blobs: BlobStore, digest: Digest): Promise<void> {
  const isEntered = await hasBlob(db, digest);
  if (!isEntered) await blobs.delete(digest);
}

/** Links a blob of one repository to another. @returns false where the first no longer has it @throws QuotaExceeded */
export async function mountBlob(
  store: RegistryStore,
  mount: Omit<GivenBlob, "sizeBytes"> & { readonly fromId: string },
): Promise<boolean> {
  const { fromId, digest } = mount;
  return store.transaction(async (db) => {
    await lockDigest(store, db, digest);
    const source = await findBlobOf(db, fromId, digest);
    if (source !== undefined) await giveBlob(store, db, { ...mount, sizeBytes: source.size_bytes });
    return source !== undefined;
  });
}
