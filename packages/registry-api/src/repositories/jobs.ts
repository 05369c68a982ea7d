import type { Clock } from "@plimsoll/registry/ports";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";
import { job } from "@plimsoll/store";
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
