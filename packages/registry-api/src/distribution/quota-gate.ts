import { growUpload } from "../content/queries/uploads.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { heldBytes, lockUsage, namespaceUsage, uploadingBytes } from "../quotas/queries/usage.ts";
import { warnOfQuota } from "../quotas/quota-notices.ts";
import { checkQuota, QuotaExceeded, type UsageLimit } from "../quotas/usage-limits.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import type { Distribution } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/** Lets bytes into a namespace as long as its quota has room. */
export interface QuotaGate {
  /** @throws DistributionError `DENIED` */
  checkStart(): Promise<void>;
  /** The size of a blob that the namespace holds already: to send it again adds nothing. 0 where it does not, or none is limited. */
  heldBytes(digest: string): Promise<number>;
  /** The same bytes, each let in before it passes. @throws DistributionError `DENIED` */
  meter(chunk: MeteredChunk): AsyncIterable<Uint8Array>;
}

/** Bytes that are added to an upload. */
export interface MeteredChunk {
  readonly uploadId: string;
  /** How many the upload has already. */
  readonly offset: number;
  /** How many come; absent where the client does not say. */
  readonly length?: number | undefined;
  /** How many the upload may have for nothing; see {@link QuotaGate.heldBytes}. */
  readonly heldBytes?: number;
  readonly source: AsyncIterable<Uint8Array>;
}

/** A namespace and what it may use. */
export interface LimitedNamespace {
  readonly namespaceId: string;
  readonly limits: readonly UsageLimit[];
}

/** The gate of a namespace: what counts for it already, and all that is on its way. */
export function quotaGate({ registry }: Distribution, { namespaceId, limits }: LimitedNamespace): QuotaGate {
  const { store } = registry;
  if (!limits.some(({ type }) => type === "Reject")) {
    return { checkStart: async () => {}, heldBytes: async () => 0, meter: ({ source }) => source };
  }

  async function check(): Promise<void> {
    const used = await namespaceUsage(store.db, namespaceId);
    checkQuota(limits, used + (await uploadingBytes(store.db, namespaceId)));
  }

  return {
    checkStart: () => tellingOfRefusal(registry, namespaceId, check),
    heldBytes: (digest) => heldBytes(store.db, namespaceId, digest),
    async *meter({ uploadId, offset, length, heldBytes = 0, source }) {
      const letIn = (bytes: number) =>
        tellingOfRefusal(registry, namespaceId, () => reserve(store, { namespaceId, uploadId, limits, bytes }));
      let received = offset;
      const expected = offset + (length ?? 0);
      let reserved = heldBytes > 0 && expected <= heldBytes ? heldBytes : await letIn(expected);
      for await (const chunk of source) {
        received += chunk.length;
        if (received > reserved) reserved = await letIn(received);
        yield chunk;
      }
    },
  };
}

/** How many bytes are let in ahead, where so many are far from filling the quota. */
const aheadBytes = 4 * 1024 * 1024;

interface Reservation {
  readonly namespaceId: string;
  readonly uploadId: string;
  readonly limits: readonly UsageLimit[];
  /** Of the whole upload. */
  readonly bytes: number;
}

/**
 * Counts bytes of an upload before they come, so that however many uploads there are at once, all that is let in fits.
 * @returns how many the upload may have then: at least those that were asked for
 * @throws QuotaExceeded where these do not fit: nothing is counted
 */
function reserve(store: RegistryStore, { namespaceId, uploadId, limits, bytes }: Reservation): Promise<number> {
  return store.transaction(async (db) => {
    const used = await lockUsage(db, namespaceId);
    const grow = (to: number) => growUpload(db, uploadId, to);
    await grow(bytes);
    const total = used + (await uploadingBytes(db, namespaceId));
    checkQuota(limits, total);
    const least = Math.min(...limits.filter(({ type }) => type === "Reject").map(({ fromBytes }) => fromBytes));
    if (total + aheadBytes > least / 2) return bytes;
    await grow(bytes + aheadBytes);
    return bytes + aheadBytes;
  });
}

/**
 * Does what a quota may refuse, outside of a transaction. Of a refusal its admins are told, until less is used than when it came.
 * @throws DistributionError `DENIED`
 */
export async function tellingOfRefusal<Result>(
  { store, ports }: ServedRegistry,
  namespaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QuotaExceeded)) throw error;
    const fromBytes = await namespaceUsage(store.db, namespaceId);
    await warnOfQuota(store.db, { namespaceId, type: "Reject", fromBytes, now: ports.clock.now() });
    throw new DistributionError("DENIED", error.message, { cause: error });
  }
}
