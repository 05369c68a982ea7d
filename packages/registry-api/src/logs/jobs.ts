import type { JobHandler } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countLogHours } from "./queries/daily-log-counts.ts";

/** The job that counts the usage log by day; it is to recur. */
export const countLogJob = "registry.count-log";

/** Counts the hours that are over. */
export function countUsageLog(store: RegistryStore, clock: Clock): JobHandler {
  return ({ signal }) => countLogHours(store, clock.now(), signal);
}
