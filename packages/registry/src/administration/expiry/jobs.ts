import { job } from "@plimsoll/store";
import type { Deps } from "../../deps.ts";
import { deleteUnapproved } from "../../identity/service-keys/queries.ts";
import { deleteOldFailures } from "../../identity/sign-in/queries/sign-ins.ts";
import { deleteOldInvites } from "../../organizations/teams/invites.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { deleteExpiredRows } from "./queries.ts";

/** The context of {@link collectExpiredJob}. */
export type CollectExpiredContext = Pick<Deps, "store" | "clock">;

/** Removes expired sessions, codes, tokens and failed sign-ins, and service keys and invites that were not accepted in time. */
export const collectExpiredJob = job({
  kind: "registry.collect-expired",
  key: () => "",
  handle: ({ signal }, { store, clock }: CollectExpiredContext) => deleteExpired(store.db, clock.now(), signal),
});

/** Deletes expired rows: most at once, those that their owners can still see a day later. */
export async function deleteExpired(db: RegistryDb, now: number, signal?: AbortSignal): Promise<void> {
  for (const step of [deleteExpiredRows, deleteOldFailures, deleteUnapproved, deleteOldInvites]) {
    signal?.throwIfAborted();
    await step(db, now);
  }
}
