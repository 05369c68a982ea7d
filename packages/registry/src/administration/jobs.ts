import { job } from "@plimsoll/store";
import type { Deps } from "../deps.ts";
import { sumBlobs, updateRegistrySize } from "./queries.ts";

/** What {@link measureSizeJob} needs. */
export type MeasureSizeContext = Pick<Deps, "store" | "clock">;

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
