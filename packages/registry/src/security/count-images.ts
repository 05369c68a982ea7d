import { hastenRecurrence } from "@plimsoll/store";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
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
