import { randomUUID } from "node:crypto";
import type { Digest } from "@plimsoll/core/digest";
import type { ImageRepository } from "../access/queries.ts";
import { countUploads, insertAndCountUpload, removeUploadRow, updateUpload } from "../content/queries/uploads.ts";
import type { Deps } from "../deps.ts";
import { KeptLimitReached } from "../limits/kept-limits.ts";
import { lockOwner } from "../limits/queries.ts";
import type { NewRow, RegistryDb, RegistryStore } from "../store/tables/all.ts";

/** An upload to begin. */
export interface NewUpload {
  readonly repository: ImageRepository;
  /** The account that uploads; undefined for credentials of no account. */
  readonly accountId: string | undefined;
  /** The digest of the blob to come, if it is known. */
  readonly digest: Digest | undefined;
  readonly now: number;
}

/** Begins an upload. @returns its id @throws KeptLimitReached */
export async function beginUpload(
  { store, settings }: Pick<Deps, "store" | "settings">,
  { repository, accountId, digest, now }: NewUpload,
): Promise<string> {
  const row = {
    id: randomUUID(),
    repository_id: repository.id,
    namespace_id: repository.namespace_id,
    account_id: accountId ?? null,
    received_bytes: 0,
    digest: digest ?? null,
    created_at: now,
    updated_at: now,
  };
  await addUpload(store, row, settings.keptLimits.uploads);
  return row.id;
}

/** More uploads than can be stored at one moment: PostgreSQL has fewer connections. */
const mostAtOnce = 1000;

/**
 * Stores an upload unless its owner has too many in the namespace. Far from the limit this is one statement. Near it uploads that begin at
 * the same moment, which one statement does not see, are counted one after the other.
 * @throws KeptLimitReached
 */
async function addUpload(store: RegistryStore, row: NewRow<"upload">, most: number): Promise<void> {
  if ((await insertAndCountUpload(store.db, row, most)) < most - mostAtOnce) return;
  const { account_id: account } = row;
  const isRoom = await store.transaction(async (db) => {
    await (account == null ? lockOwner(db, "repository", row.repository_id) : lockOwner(db, "user", account));
    if ((await countUploads(db, row, most + 1)) <= most) return true;
    await removeUploadRow(db, row.id);
    return false;
  });
  if (!isRoom) throw new KeptLimitReached("uploads", most);
}

/** Notes that an upload has not paused. */
export function renewUpload(db: RegistryDb, id: string, now: number): Promise<void> {
  return updateUpload(db, id, { updated_at: now });
}

/** What an upload has received. */
interface Received {
  readonly receivedBytes: number;
  /** Whether the upload no longer repeats a blob that the namespace has: from now on its bytes count. */
  readonly counts: boolean;
  readonly now: number;
}

/** Notes how many bytes an upload has. */
export function noteReceived(db: RegistryDb, id: string, { receivedBytes, counts, now }: Received): Promise<void> {
  return updateUpload(db, id, {
    received_bytes: receivedBytes,
    updated_at: now,
    digest: counts ? null : undefined,
  });
}

/** Cancels an upload that has become no blob. */
export async function cancelUpload({ store, blobs }: Pick<Deps, "store" | "blobs">, id: string): Promise<void> {
  await removeUploadRow(store.db, id);
  await blobs.deleteUpload(id);
}
