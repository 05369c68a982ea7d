import { findImageRepository } from "@plimsoll/registry/access/queries";
import { removeDeletedRepository } from "@plimsoll/registry/lifecycle/collection/collect-deleted";
import { deleteRepository } from "@plimsoll/registry/lifecycle/collection/deletions";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { expect, it } from "vitest";
import { openTestDistribution } from "../../fixtures/test-distribution.ts";

for (const engine of testEngines) {
  it.skipIf(engine.skip !== undefined)(
    `removing a deleted repository stops when it is told to, and goes on later, on ${engineTitle(engine)}`,
    async () => {
      await using world = await openTestDistribution({ engine });
      const { store, blobs, registry } = world;
      const clock = { now: () => registry.time.now };
      await world.pushImage("alice/one", "latest");
      const one = await findImageRepository(store.db, "alice", "one");
      if (one === undefined) throw new Error("the repository is missing");
      await store.transaction((db) => deleteRepository(db, one, clock));
      const left = () => store.db.selectFrom("image_repository").select("id").execute();

      await expect(removeDeletedRepository({ store, blobs }, one.id, AbortSignal.abort())).rejects.toThrow("aborted");
      expect(await left()).toEqual([{ id: one.id }]);

      await removeDeletedRepository({ store, blobs }, one.id, new AbortController().signal);
      expect(await left()).toEqual([]);
    },
  );
}
