import { addUsage, namespaceUsage, subtractUsage } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../../../fixtures/test-content.ts";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "subtractUsage on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("leaves what other namespaces have of the same blobs", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const [alice, bob] = [await counted("alice"), await counted("bob")];
      for (const repository of [alice, bob]) await addUsage(db, repository, { digest: "sha256:a", sizeBytes: 7 });
      await addUsage(db, alice, { digest: "sha256:b", sizeBytes: 1 });
      const underWay = { namespace_id: bob.namespaceId, digest: "sha256:b", size_bytes: 1, repositories: 0 };
      await db.insertInto("namespace_blob").values(underWay).execute();
      const rowsOfBob = () =>
        db.selectFrom("namespace_blob").selectAll().where("namespace_id", "=", bob.namespaceId).execute();
      const before = await rowsOfBob();

      const shrunkTo = await subtractUsage(db, alice, ["sha256:a", "sha256:b"]);

      expect(shrunkTo).toBe(0);
      expect(await rowsOfBob()).toEqual(before);
      expect(await namespaceUsage(db, bob.namespaceId)).toBe(7);
      expect(await subtractUsage(db, bob, ["sha256:a"])).toBe(0);
      expect(await db.selectFrom("namespace_blob").selectAll().execute()).toEqual([underWay]);

      async function counted(username: string) {
        const { id: namespaceId } = await registry.user(username);
        return { id: await addTestRepository(db, namespaceId), namespaceId };
      }
    });
  },
);
