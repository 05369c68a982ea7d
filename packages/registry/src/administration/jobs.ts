import { job } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { sumBlobs, updateRegistrySize } from "./queries.ts";

/** What {@link measureSizeJob} needs. */
export interface MeasureSizeContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Measures the size of the registry and stores it. */
export const measureSizeJob = job({
  kind: "registry.measure-size",
  key: () => "",
  async handle({ signal }, { store, clock }: MeasureSizeContext) {
    await updateRegistrySize(store.db, { queued: 0, running: 1 });
    const bytes = await sumBlobs(store.db, signal);
    await updateRegistrySize(store.db, { size_bytes: bytes, last_ran: clock.now(), running: 0 });
  },
  onCancelled: ({ db }) => updateRegistrySize(db, { queued: 0, running: 0 }),
});
