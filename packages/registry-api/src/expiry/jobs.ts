import { job } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import { deleteUnapproved } from "../service-keys/queries.ts";
import { deleteOldFailures } from "../sign-in/queries/failed-sign-ins.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteOldInvites } from "../teams/invites.ts";
import { deleteExpiredRows } from "./queries.ts";

/** What {@link collectExpiredJob} needs. */
export interface CollectExpiredContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Removes sessions, codes, tokens and failed sign-ins that are past their time, service keys that were not approved and invites that were not accepted in time. */
export const collectExpiredJob = job({
  kind: "registry.collect-expired",
  key: () => "",
  handle: ({ signal }, { store, clock }: CollectExpiredContext) => deleteExpired(store.db, clock.now(), signal),
});

/** Deletes expired rows: those that can no longer be used at once, those that their owner may still look for a day later. */
export async function deleteExpired(db: RegistryDb, now: number, signal?: AbortSignal): Promise<void> {
  for (const step of [deleteExpiredRows, deleteOldFailures, deleteUnapproved, deleteOldInvites]) {
    signal?.throwIfAborted();
    await step(db, now);
  }
}
