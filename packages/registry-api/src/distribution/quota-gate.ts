import type { Digest } from "@plimsoll/core";
import { growUpload } from "../content/queries/uploads.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { findUploading, occupiedBytes } from "../quotas/queries/uploading.ts";
import { heldBytes, lockUsage, namespaceUsage } from "../quotas/queries/usage.ts";
import { warnOfQuota } from "../quotas/quota-notices.ts";
import { checkQuota, QuotaExceeded, rejectedFrom, type UsageLimit } from "../quotas/usage-limits.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { DistributionError } from "./distribution-error.ts";
import { giveWay } from "./give-way.ts";
import { countUnfinished } from "./queries/unfinished.ts";

/** Admits bytes to a namespace as long as they fit in its quota. */
export interface QuotaGate {
  /** @throws DistributionError `DENIED` */
  checkStart(): Promise<void>;
  /** A blob that the namespace already has, so that pushing it again adds nothing; undefined if it does not have it, or has no limit. */
  findHeld(digest: Digest): Promise<HeldBlob | undefined>;
  /** Yields the source's chunks, each after its bytes are admitted. @throws DistributionError `DENIED` */
  meter(chunk: MeteredChunk): AsyncIterable<Uint8Array>;
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
  /** The blob that the upload repeats: its bytes do not count. If the source fails, the caller must discard the upload. */
  readonly held?: HeldBlob | undefined;
  readonly source: AsyncIterable<Uint8Array>;
}

/** A namespace and its limits. */
export interface LimitedNamespace {
  readonly namespaceId: string;
  readonly limits: readonly UsageLimit[];
}

/** The context of a gate. */
export interface QuotaGateContext {
  readonly registry: Pick<ServedRegistry, "store"> & { readonly ports: Pick<ServedRegistry["ports"], "clock"> };
}

/** The gate of a namespace: it counts the stored bytes and those of every upload in progress. */
export function quotaGate({ registry }: QuotaGateContext, { namespaceId, limits }: LimitedNamespace): QuotaGate {
  const { store } = registry;
  if (!limits.some(({ type }) => type === "Reject")) {
    return { checkStart: async () => {}, findHeld: async () => undefined, meter: ({ source }) => source };
  }

  async function check(): Promise<void> {
    checkQuota(limits, { sizeBytes: await occupiedBytes(store.db, namespaceId), addedBytes: 0 });
  }

  return {
    checkStart: () => warningOfRefusal(registry, namespaceId, check),
    async findHeld(digest) {
      const sizeBytes = await heldBytes(store.db, namespaceId, digest);
      return sizeBytes === 0 ? undefined : { digest, sizeBytes };
    },
    async *meter({ uploadId, offset, length, held, source }) {
      const admitBytes = (bytes: number) =>
        warningOfRefusal(registry, namespaceId, () =>
          reserve(store, { namespaceId, uploadId, limits, held, bytes, now: registry.ports.clock.now() }),
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
  readonly held: HeldBlob | undefined;
  /** The size of the whole upload. */
  readonly bytes: number;
  readonly now: number;
}

/**
 * Counts bytes of an upload before they arrive, so that the uploads in progress together stay within the quota. What repeats held blobs
 * does not count; all of that together may be as much as the quota once more, or as the namespace has. Further bytes are let in ahead as
 * long as all uploads could have them within half of the quota. They are not counted, so that nobody is refused for bytes that may never
 * arrive.
 * @throws QuotaExceeded if these do not fit: then nothing is counted; DistributionError `BLOB_UPLOAD_UNKNOWN` if it was cancelled
 */
function reserve(store: RegistryStore, reservation: Reservation): Promise<Admitted> {
  const { namespaceId, uploadId, limits, held, bytes, now } = reservation;
  return store.transaction(async (db) => {
    const used = await lockUsage(db, namespaceId);
    if (!(await growUpload(db, uploadId, { toBytes: bytes, digest: held?.digest, now }))) throw cancelled();
    const { countedBytes, repeatedBytes, uploads } = await findUploading(db, namespaceId);
    const least = rejectedFrom(limits);
    if (held !== undefined && repeatedBytes > Math.max(least, used))
      throw new QuotaExceeded(least, { sizeBytes: used + repeatedBytes, addedBytes: repeatedBytes });
    const total = used + countedBytes;
    const addedBytes = bytes - (held?.sizeBytes ?? 0);
    if (held === undefined || addedBytes > 0) checkQuota(limits, { sizeBytes: total, addedBytes });
    const isFar = held === undefined && total + uploads * aheadBytes <= least / 2;
    return { countedBytes: bytes, untilBytes: isFar ? bytes + aheadBytes : bytes };
  });
}

function cancelled(): DistributionError {
  return new DistributionError("BLOB_UPLOAD_UNKNOWN", "the upload was cancelled");
}

/**
 * Runs work that the quota may refuse, outside of a transaction. When it is refused, bytes of pushes that have paused give way, and the
 * work is done once more. After a refusal the admins of the namespace see a warning until the usage is lower than at that time.
 * @param work leaves nothing behind when it is refused
 * @throws DistributionError `DENIED`
 */
export async function warningOfRefusal<Result>(
  registry: QuotaGateContext["registry"],
  namespaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const now = registry.ports.clock.now();
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

/** Warns the admins of a namespace. @returns the refusal, which names the bytes that are free soon */
async function refusal(
  store: RegistryStore,
  { namespaceId, now, cause }: { readonly namespaceId: string; readonly now: number; readonly cause: QuotaExceeded },
): Promise<DistributionError> {
  await store.transaction(async (db) => {
    const usedBytes = await namespaceUsage(db, namespaceId);
    await warnOfQuota(db, { namespaceId, type: "Reject", fromBytes: usedBytes, usedBytes, now });
  });
  const looseBytes = await countUnfinished(store.db, namespaceId);
  if (looseBytes === 0) return new DistributionError("DENIED", cause.message, { cause });
  const whose = `${looseBytes} bytes belong to no image: they are of pushes that have not finished, or of deleted images`;
  const hint = `${whose}. Blobs give way from 15 minutes after they were sent, uploads an hour after their last bytes`;
  return new DistributionError("DENIED", `${cause.message}. ${hint}`, { cause });
}
