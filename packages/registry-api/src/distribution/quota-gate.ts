import type { ServedRegistry } from "../http/answer-operation.ts";
import { tellOfQuota } from "../rules/quota-notices.ts";
import { namespaceUsage, uploadingBytes } from "../rules/usage.ts";
import { findUsageLimits, severityOf, type UsageLimit } from "../rules/usage-limits.ts";
import type { Distribution } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/** Lets bytes into a namespace as long as its quota has room. */
export interface QuotaGate {
  /** @throws DistributionError `DENIED` */
  checkStart(): Promise<void>;
  /** The same bytes; while they come it is looked every 16 MiB whether there is still room. @throws DistributionError `DENIED` */
  meter(uploadId: string, offset: number, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** How many bytes come between two looks. */
const stepBytes = 16 * 1024 * 1024;

/** The gate of a namespace: what counts for it already, and all that is on its way. */
export async function openQuotaGate({ registry }: Distribution, namespaceId: string): Promise<QuotaGate> {
  const { store, settings } = registry;
  const limits = (await findUsageLimits(store.db, settings, namespaceId)).filter(({ type }) => type === "Reject");
  if (limits.length === 0) return { checkStart: async () => {}, meter: (_uploadId, _offset, source) => source };

  async function check(): Promise<void> {
    const used = await namespaceUsage(store.db, namespaceId);
    const uploading = await uploadingBytes(store.db, namespaceId);
    await tellingOfRefusal(registry, namespaceId, async () => checkQuota(limits, used + uploading));
  }

  return {
    checkStart: check,
    async *meter(uploadId, offset, source) {
      let received = offset;
      let next = received + stepBytes;
      for await (const chunk of source) {
        received += chunk.length;
        if (received >= next) {
          next = received + stepBytes;
          await store.db.updateTable("upload").set({ received_bytes: received }).where("id", "=", uploadId).execute();
          await check();
        }
        yield chunk;
      }
    },
  };
}

/** What would take more bytes than a namespace may use. */
class QuotaExceeded extends DistributionError {
  constructor() {
    super("DENIED", "Quota has been exceeded on namespace");
  }
}

/** @throws DistributionError `DENIED` */
export function checkQuota(limits: readonly UsageLimit[], sizeBytes: number): void {
  if (severityOf(limits, sizeBytes) === "Reject") throw new QuotaExceeded();
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
    if (error instanceof QuotaExceeded) {
      const fromBytes = await namespaceUsage(store.db, namespaceId);
      await tellOfQuota(store.db, { namespaceId, type: "Reject", fromBytes, now: ports.clock.now() });
    }
    throw error;
  }
}
