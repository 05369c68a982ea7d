import type { JobHandler } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import { deleteUnapproved } from "../service-keys/waiting.ts";
import { deleteOldFailures } from "../sign-in/failed-sign-ins.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";
import { deleteExpiredRows } from "./queries.ts";

/** The job that removes what has been past its time for long enough. */
export const collectExpiredJob = "registry.collect-expired";

/** Removes sessions, codes, tokens and failed sign-ins that are past their time, and service keys that nobody approved in time. */
export function collectExpired(store: RegistryStore, clock: Clock): JobHandler {
  return async () => deleteExpired(store.db, clock.now());
}

/** What nobody can use any more is deleted at once; what its owner may look for, a day later. */
export async function deleteExpired(db: RegistryDb, now: number): Promise<void> {
  await deleteExpiredRows(db, now);
  await deleteOldFailures(db, now);
  await deleteUnapproved(db, now);
}
