import { findUsageLimits, namespaceUsage, severityOf, type UsageLimit, uploadingBytes } from "../rules/usage.ts";
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
    checkQuota(limits, used + (await uploadingBytes(store.db, namespaceId)));
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

/** @throws DistributionError `DENIED` */
export function checkQuota(limits: readonly UsageLimit[], sizeBytes: number): void {
  if (severityOf(limits, sizeBytes) !== "Reject") return;
  throw new DistributionError("DENIED", "Quota has been exceeded on namespace");
}
