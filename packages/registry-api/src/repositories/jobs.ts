import type { JobHandler } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countActions } from "./count-actions.ts";

/** The job that counts how often repositories are used; it is to recur. */
export const countActionsJob = "registry.count-actions";

/** Counts the days that are over. */
export function countRepositoryActions(store: RegistryStore, clock: Clock): JobHandler {
  return ({ signal }) => countActions(store.db, { now: clock.now(), signal });
}
