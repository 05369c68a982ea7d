import type { Clock } from "@plimsoll/registry/ports";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";
import { hastenRecurrence } from "@plimsoll/store";
import { countFindingsJob } from "./jobs.ts";
import { countImagesAgain } from "./queries/attached.ts";

/** Makes images due for counting, and starts the counting job now. */
export async function countImagesNow(
  { store, clock }: { readonly store: RegistryStore; readonly clock: Clock },
  manifestIds: readonly string[],
): Promise<void> {
  await store.transaction(async (db) => {
    await countImagesAgain(db, manifestIds);
    await hastenRecurrence({ db, clock }, countFindingsJob, null);
  });
}
