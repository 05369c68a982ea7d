import { job } from "@plimsoll/store";
import type { Clock } from "../../ports.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import { keepTrend } from "./keep-trend.ts";

/** What {@link keepTrendJob} needs. */
export interface KeepTrendContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Stores how many vulnerabilities the images of each repository have today. Recurs. */
export const keepTrendJob = job({
  kind: "registry.keep-finding-trend",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: KeepTrendContext) => keepTrend(store.db, { now: clock.now(), signal }),
});
