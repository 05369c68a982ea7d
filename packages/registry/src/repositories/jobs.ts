import { job } from "@plimsoll/store";
import type { Deps } from "../deps.ts";
import { countActions } from "./count-actions.ts";

/** What {@link countActionsJob} needs. */
export type CountActionsContext = Pick<Deps, "store" | "clock">;

/** Counts how often repositories are used, by the days that are over. Recurs. */
export const countActionsJob = job({
  kind: "registry.count-actions",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: CountActionsContext) => countActions(store.db, { now: clock.now(), signal }),
});
