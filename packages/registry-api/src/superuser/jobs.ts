import type { JobHandler } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";

/** Counts the stored bytes. */
export function measureRegistrySize(store: RegistryStore, clock: Clock): JobHandler {
  const set = (row: Partial<{ size_bytes: number; last_ran: number; queued: 0 | 1; running: 0 | 1 }>) =>
    store.db.updateTable("registry_size").set(row).where("id", "=", 1).execute();
  return async () => {
    await set({ queued: 0, running: 1 });
    const { bytes } = await store.db
      .selectFrom("blob")
      .select((row) => row.fn.coalesce(row.fn.sum<number>("size_bytes"), row.lit(0)).as("bytes"))
      .executeTakeFirstOrThrow();
    await set({ size_bytes: Number(bytes), last_ran: clock.now(), running: 0 });
  };
}
