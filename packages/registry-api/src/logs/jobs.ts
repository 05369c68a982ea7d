import { job } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countLogHours } from "./queries/daily-log-counts.ts";

/** What {@link countLogJob} needs. */
export interface CountLogContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Counts the usage log by day, as far as its hours are over. Recurs. */
export const countLogJob = job({
  kind: "registry.count-log",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: CountLogContext) => countLogHours(store, clock.now(), signal),
});
