import type { JobHandler } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { sumBlobs, updateRegistrySize } from "./queries.ts";

/** Counts the stored bytes. */
export function measureRegistrySize(store: RegistryStore, clock: Clock): JobHandler {
  const set = (row: Partial<{ size_bytes: number; last_ran: number; queued: 0 | 1; running: 0 | 1 }>) =>
    updateRegistrySize(store.db, row);
  return async () => {
    await set({ queued: 0, running: 1 });
    const bytes = await sumBlobs(store.db);
    await set({ size_bytes: bytes, last_ran: clock.now(), running: 0 });
  };
}
