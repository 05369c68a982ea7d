import { job } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { countActions } from "./count-actions.ts";

/** What {@link countActionsJob} needs. */
export interface CountActionsContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Counts how often repositories are used, by the days that are over. Recurs. */
export const countActionsJob = job({
  kind: "registry.count-actions",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: CountActionsContext) => countActions(store.db, { now: clock.now(), signal }),
});
