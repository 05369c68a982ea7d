import type { Digest } from "@plimsoll/core/digest";
import { growUpload } from "../content/queries/uploads.ts";
import { ContentError } from "../content-error.ts";
import type { Deps } from "../deps.ts";
import {
  findOccupied,
  findUploading,
  heldBytes,
  lockUsage,
  namespaceUsage,
  type Uploading,
} from "../organizations/quotas/queries/usage.ts";
import { warnOfQuota } from "../organizations/quotas/quota-notices.ts";
import { checkQuota, QuotaExceeded, rejectedFrom, type UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countUnfinished } from "./queries/parts.ts";
import { giveWay } from "./renew-link.ts";

/** Admits bytes to a namespace as long as they fit in its quota. */
export interface QuotaGate {
  /**
   * Admits an upload, before its bytes.
   * @param digest what the client says it will be, of a blob that the namespace does not have. Absent: it may heal a damaged blob
   * @throws ContentError `quota_exceeded`
   */
  checkStart(digest?: Digest): Promise<void>;
  /** A blob that the namespace already has, so that pushing it again adds nothing; undefined if it does not have it, or has no limit. */
  findHeld(digest: Digest): Promise<HeldBlob | undefined>;
  /** Yields the source's chunks, each after its bytes are admitted. @throws ContentError `quota_exceeded` */
  meter(chunk: MeteredChunk): AsyncIterable<Uint8Array>;
  /**
   * Whether uploads in progress have bytes only because they may heal damaged blobs. One that fails must be discarded, so that the next
   * can heal them.
   */
  needsDamage(): Promise<boolean>;
}

/** A blob that the namespace of an upload has. */
export interface HeldBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
}

/** Bytes that are added to an upload. */
export interface MeteredChunk {
  readonly uploadId: string;
  /** How many bytes the upload has already. */
  readonly offset: number;
  /** How many bytes the request adds; absent if the client does not announce it. */
  readonly length?: number | undefined;
  /** The digest of the blob, if this chunk completes the upload. */
  readonly digest?: Digest | undefined;
  /** The blob that the upload repeats: its bytes do not count. If the source fails, the caller must discard the upload. */
  readonly held?: HeldBlob | undefined;
  readonly source: AsyncIterable<Uint8Array>;
}

/** A namespace and its limits. */
export interface LimitedNamespace {
  readonly namespaceId: string;
  readonly limits: readonly UsageLimit[];
}

/** The gate of a namespace: it counts the stored bytes and those of every upload in progress. */
export function quotaGate(
  registry: Pick<Deps, "store" | "clock">,
  { namespaceId, limits }: LimitedNamespace,
): QuotaGate {
  const { store } = registry;
  if (!limits.some(({ type }) => type === "Reject")) {
    return {
      checkStart: async () => {},
      findHeld: async () => undefined,
      meter: ({ source }) => source,
      needsDamage: async () => false,
    };
  }

  async function check(digest: Digest | undefined): Promise<void> {
    const { usedBytes, ...uploading } = await findOccupied(store.db, namespaceId);
    if (mayHeal(uploading, { digest, bytes: 1, most: mostUncounted(limits, usedBytes) })) return;
    checkQuota(limits, { sizeBytes: usedBytes + uploading.countedBytes, addedBytes: 0 });
  }

  return {
    checkStart: (digest) => warningOfRefusal(registry, namespaceId, () => check(digest)),
    async findHeld(digest) {
      const sizeBytes = await heldBytes(store.db, namespaceId, digest);
      return sizeBytes === 0 ? undefined : { digest, sizeBytes };
    },
    async needsDamage() {
      const { usedBytes, newBytes, damagedBytes } = await findOccupied(store.db, namespaceId);
      return damagedBytes > 0 && usedBytes + newBytes >= rejectedFrom(limits);
    },
    async *meter({ uploadId, offset, length, digest, held, source }) {
      const admitBytes = (bytes: number) =>
        warningOfRefusal(registry, namespaceId, () =>
          reserve(store, { namespaceId, uploadId, limits, digest, held, bytes, now: registry.clock.now() }),
        );
      let received = offset;
      let admitted = await admitBytes(Math.max(offset + (length ?? 0), held?.sizeBytes ?? 0));
      try {
        for await (const chunk of source) {
          const bytes = received + chunk.length;
          if (bytes > admitted.untilBytes) admitted = await admitBytes(bytes);
          received = bytes;
          yield chunk;
        }
      } finally {
        if (received > admitted.countedBytes) await admitBytes(received);
      }
    },
  };
}

/** How many bytes an upload may have beyond those that are counted for it, while the quota is far from full. */
const aheadBytes = 4 * 1024 * 1024;

/** How many bytes an upload may have. */
interface Admitted {
  readonly countedBytes: number;
  /** Until here bytes are counted when they have arrived: at the next reservation, or at the end of the request. */
  readonly untilBytes: number;
}

interface Reservation {
  readonly namespaceId: string;
  readonly uploadId: string;
  readonly limits: readonly UsageLimit[];
  readonly digest: Digest | undefined;
  readonly held: HeldBlob | undefined;
  /** The size of the whole upload. */
  readonly bytes: number;
  readonly now: number;
}

/**
 * Counts bytes of an upload before they arrive, so that the uploads in progress together stay within the quota. What repeats held blobs
 * does not count, nor does what may heal a damaged blob; all of that together may be as much as the quota once more, or as the namespace
 * has. Whether an upload heals one is decided when its digest is known. Further bytes are let in ahead as long as all uploads could have
 * them within half of the quota. They are not counted, so that nobody is refused for bytes that may never arrive.
 * @throws QuotaExceeded if these do not fit: then nothing is counted; ContentError `upload_unknown` if it was cancelled
 */
function reserve(store: RegistryStore, reservation: Reservation): Promise<Admitted> {
  const { namespaceId, uploadId, limits, digest, held, bytes, now } = reservation;
  return store.transaction(async (db) => {
    const used = await lockUsage(db, namespaceId);
    if (!(await growUpload(db, uploadId, { toBytes: bytes, digest: held?.digest, now }))) throw cancelled();
    const uploading = await findUploading(db, namespaceId);
    const { repeatedBytes, uploads } = uploading;
    const [least, most] = [rejectedFrom(limits), mostUncounted(limits, used)];
    if (held !== undefined && repeatedBytes > most)
      throw new QuotaExceeded(least, { sizeBytes: used + repeatedBytes, addedBytes: repeatedBytes });
    const total = used + countedWith(uploading, reservation);
    const addedBytes = bytes - (held?.sizeBytes ?? 0);
    const isFree = held === undefined ? mayHeal(uploading, { digest, bytes, most }) : addedBytes <= 0;
    if (!isFree) checkQuota(limits, { sizeBytes: total, addedBytes: Math.min(addedBytes, total - used) });
    const isFar = held === undefined && total + uploads * aheadBytes <= least / 2;
    return { countedBytes: bytes, untilBytes: isFar ? bytes + aheadBytes : bytes };
  });
}

/** The bytes of all uploads that count. Those of one whose digest is known, and that the namespace does not have, heal nothing. */
function countedWith(
  { countedBytes, newBytes, damagedBytes }: Uploading,
  { digest, held, bytes }: Reservation,
): number {
  if (digest === undefined || held !== undefined) return countedBytes;
  return bytes + Math.max(0, newBytes - bytes - damagedBytes);
}

/** How many bytes uploads that repeat or may heal blobs may have together: as many as the quota, or as the namespace has. */
function mostUncounted(limits: readonly UsageLimit[], usedBytes: number): number {
  return Math.max(rejectedFrom(limits), usedBytes);
}

interface Healing extends Pick<Reservation, "digest" | "bytes"> {
  readonly most: number;
}

/**
 * Whether an upload without a digest may become a damaged blob. Others may have paused, or been left by pushes that failed: they take
 * no room from it until all of them have a maximum.
 */
function mayHeal(uploading: Uploading, { digest, bytes, most }: Healing): boolean {
  const { newBytes, repeatedBytes, largestDamagedBytes } = uploading;
  if (digest !== undefined || largestDamagedBytes === 0) return false;
  return bytes <= largestDamagedBytes && newBytes + repeatedBytes <= most;
}

function cancelled(): ContentError {
  return new ContentError("upload_unknown", "the upload was cancelled");
}

/**
 * Runs work that the quota may refuse, outside of a transaction. When it is refused, bytes of pushes that have paused give way, and the
 * work is done once more. After a refusal the admins of the namespace see a warning until the usage is lower than at that time.
 * @param work leaves nothing behind when it is refused
 * @throws ContentError `quota_exceeded`
 */
export async function warningOfRefusal<Result>(
  registry: Pick<Deps, "store" | "clock">,
  namespaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const now = registry.clock.now();
  let cause: QuotaExceeded;
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QuotaExceeded)) throw error;
    cause = error;
  }
  const isFreed = await giveWay(registry.store, { namespaceId, now });
  try {
    if (isFreed) return await work();
  } catch (error) {
    if (!(error instanceof QuotaExceeded)) throw error;
    cause = error;
  }
  throw await refusal(registry.store, { namespaceId, now, cause });
}

/** Warns the admins of a namespace. @returns the refusal, which names the bytes that may heal damaged blobs, and those that are free soon */
async function refusal(
  store: RegistryStore,
  { namespaceId, now, cause }: { readonly namespaceId: string; readonly now: number; readonly cause: QuotaExceeded },
): Promise<ContentError> {
  await store.transaction(async (db) => {
    const usedBytes = await namespaceUsage(db, namespaceId);
    await warnOfQuota(db, { namespaceId, type: "Reject", fromBytes: usedBytes, usedBytes, now });
  });
  const { damagedBytes } = await findUploading(store.db, namespaceId);
  const hints = [damagedHint(damagedBytes), looseHint(await countUnfinished(store.db, namespaceId))];
  const message = [cause.message, ...hints.filter((hint) => hint !== undefined)].join(". ");
  return new ContentError("quota_exceeded", message, { cause });
}

function damagedHint(bytes: number): string | undefined {
  if (bytes === 0) return undefined;
  const what = `${bytes} bytes of damaged blobs may be sent again at a full quota, and nothing else in their place`;
  return `${what}: push the images that have them again`;
}

function looseHint(bytes: number): string | undefined {
  if (bytes === 0) return undefined;
  const whose = `${bytes} bytes belong to no image: they are of pushes that have not finished, or of deleted images`;
  return `${whose}. Blobs give way from 15 minutes after they were sent, uploads an hour after their last bytes`;
}
