import { enqueueJob } from "@plimsoll/store";
import type { CallContext } from "../context.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { measureSizeJob } from "./jobs.ts";
import { findRegistrySize, markSizeQueued } from "./queries.ts";

/** The stored size of the registry in bytes, each blob counted once. */
export interface RegistrySize {
  readonly size_bytes: number;
  /** Epoch milliseconds; null before the first count. */
  readonly last_ran: number | null;
  readonly queued: boolean;
  readonly running: boolean;
}

/** The result of the last count, and whether another is queued. */
export async function readRegistrySize(db: RegistryDb): Promise<RegistrySize> {
  const row = await findRegistrySize(db);
  if (row === undefined) return { size_bytes: 0, last_ran: null, queued: false, running: false };
  const { size_bytes, last_ran, queued, running } = row;
  return { size_bytes, last_ran, queued: queued === 1, running: running === 1 };
}

/** Queues a count, unless one is queued already. */
export async function queueRegistrySize({ db, clock, log }: CallContext<"registry_size_queued">): Promise<void> {
  if ((await enqueueJob(db, measureSizeJob.of(null), clock)) === undefined) return;
  await markSizeQueued(db);
  await log("registry_size_queued", {});
}
