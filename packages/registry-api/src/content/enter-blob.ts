import { addUsage } from "../quotas/queries/usage.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { type EnteredBlob, enterAtOnce, insertBlob, linkBlob } from "./queries/enter-blob.ts";

/**
 * Gives a repository a blob, or lets it have it from now on anew: for the repository where it did not have it, and for the
 * namespace where no other of its repositories has it, its bytes count. Must run in a transaction that has the lock of the
 * digest; others that count for the namespace then wait for its end.
 * @returns the usage of the namespace where it has grown
 */
export async function enterBlob(store: RegistryStore, db: RegistryDb, blob: EnteredBlob): Promise<number | undefined> {
  return store.kind === "postgres" ? enterAtOnce(db, blob) : enterStepByStep(db, blob);
}

async function enterStepByStep(db: RegistryDb, { repository, digest, sizeBytes, now }: EnteredBlob) {
  await insertBlob(db, { digest, size_bytes: sizeBytes, created_at: now });
  const isNew = await linkBlob(db, { repository_id: repository.id, digest, linked_at: now });
  return isNew ? addUsage(db, repository, { digest, sizeBytes }) : undefined;
}
