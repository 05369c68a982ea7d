import { ScanError } from "@plimsoll/core";
import { DistributionError } from "../distribution/distribution-error.ts";
import type { ImageIntake } from "../mirrors/image-intake.ts";
import { BlobStoreError } from "../ports/blob-store.ts";
import { UpstreamLimited } from "../ports/upstreams.ts";
import { findUsageLimits } from "../quotas/usage-limits.ts";
import { copyBlob } from "./copy-blob.ts";
import type { IntakeContext } from "./intake-context.ts";
import { listDamagedBlobs } from "./queries.ts";

/** The repository to heal, and the other registry that has its images. */
type Healing = Parameters<ImageIntake["healBlobs"]>[0];

/** Fetches the damaged blobs of a repository anew. A blob that the other registry does not have, or that is refused, stays damaged. */
export async function healBlobs(context: IntakeContext, healing: Healing): Promise<void> {
  const { store, settings } = context;
  const { repository, signal } = healing;
  const damaged = await listDamagedBlobs(store.db, repository.id);
  if (damaged.length === 0) return;
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  for (const blob of damaged) {
    try {
      await copyBlob(context, healing, { ...blob, limits });
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfBlob(error)) throw error;
    }
  }
}

function isOfBlob(error: unknown): boolean {
  if (error instanceof UpstreamLimited) return false; // all others would be refused, too
  if (error instanceof BlobStoreError) return error.code === "wrong_digest" || error.code === "too_large";
  return error instanceof ScanError || error instanceof DistributionError;
}
