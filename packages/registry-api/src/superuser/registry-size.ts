import { enqueueJob } from "@plimsoll/store";
import type { OperationContext } from "../context.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** What is known of the bytes that the registry stores, each blob counted once. */
export interface RegistrySize {
  readonly size_bytes: number;
  /** Epoch milliseconds; null before the first count. */
  readonly last_ran: number | null;
  readonly queued: boolean;
  readonly running: boolean;
}

/** The job that counts. */
export const measureSizeJob = "registry.measure-size";

/** What the last count found, and whether another is on its way. */
export async function readRegistrySize(db: RegistryDb): Promise<RegistrySize> {
  const row = await db.selectFrom("registry_size").selectAll().executeTakeFirst();
  if (row === undefined) return { size_bytes: 0, last_ran: null, queued: false, running: false };
  const { size_bytes, last_ran, queued, running } = row;
  return { size_bytes, last_ran, queued: queued === 1, running: running === 1 };
}

/** Asks for a count, unless one is on its way. */
export async function queueRegistrySize({ db, ports, log }: OperationContext): Promise<void> {
  const job = { kind: measureSizeJob, uniqueKey: measureSizeJob };
  if ((await enqueueJob(db, job, ports.clock)) === undefined) return;
  const row = { id: 1, size_bytes: 0, last_ran: null, queued: 1, running: 0 } as const;
  await db
    .insertInto("registry_size")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ queued: 1 }))
    .execute();
  await log("registry_size_queued", {});
}
