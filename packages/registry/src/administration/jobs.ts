import { enqueueJob, job } from "@plimsoll/store";
import type { CallContext } from "../context.ts";
import type { Deps } from "../deps.ts";
import { deleteUnapproved } from "../identity/service-keys/queries.ts";
import { deleteOldFailures } from "../identity/sign-in/queries/sign-ins.ts";
import { deleteOldInvites } from "../organizations/teams/invites.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { deleteExpiredRows, findRegistrySize, markSizeQueued, sumBlobs, updateRegistrySize } from "./queries.ts";

/** Measures the size of the registry and stores it. */
export const measureSizeJob = job({
  kind: "registry.measure-size",
  key: () => "",
  async handle({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) {
    await updateRegistrySize(store.db, { queued: 0, running: 1 });
    const bytes = await sumBlobs(store.db, signal);
    await updateRegistrySize(store.db, { size_bytes: bytes, last_ran: clock.now(), running: 0 });
  },
  onCancelled: ({ db }) => updateRegistrySize(db, { queued: 0, running: 0 }),
});

/** Removes expired sessions, codes, tokens and failed sign-ins, and service keys and invites that were not accepted in time. */
export const collectExpiredJob = job({
  kind: "registry.collect-expired",
  key: () => "",
  handle: ({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) => deleteExpired(store.db, clock.now(), signal),
});

/** Deletes expired rows: most at once, those that their owners can still see a day later. */
export async function deleteExpired(db: RegistryDb, now: number, signal?: AbortSignal): Promise<void> {
  for (const step of [deleteExpiredRows, deleteOldFailures, deleteUnapproved, deleteOldInvites]) {
    signal?.throwIfAborted();
    await step(db, now);
  }
}

/** The stored size of the registry in bytes, each blob counted once. */
interface RegistrySize {
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
