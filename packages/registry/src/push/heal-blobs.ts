import { findUsageLimits } from "../organizations/quotas/usage-limits.ts";
import { copyBlob } from "./copy-blob.ts";
import type { IntakeContext } from "./intake-context.ts";
import type { ImageIntake } from "./intake-port.ts";
import { isRefusal } from "./is-refusal.ts";
import { listDamagedBlobs } from "./queries/damaged-blobs.ts";

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
      if (!isRefusal(error)) throw error;
    }
  }
}
