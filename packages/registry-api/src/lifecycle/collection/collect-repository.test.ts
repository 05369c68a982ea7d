/** Changes between the search of a collection and its lock are taken into account. */

import { findAccount } from "@plimsoll/registry/access/queries";
import { graceMs } from "@plimsoll/registry/content/lifetimes";
import { collectRepository } from "@plimsoll/registry/lifecycle/collection/collect-repository";
import type { Collected } from "@plimsoll/registry/lifecycle/collection/collection";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution, type PushedImage, type TestDistribution } from "../../fixtures/test-distribution.ts";

const name = "alice/images";
const windowMs = 14 * 86_400_000;

interface Row {
  readonly what: string;
  /** The garbage when the collection searches. */
  readonly loosen: (world: TestDistribution, image: PushedImage) => Promise<unknown>;
  /** The change before the collection has the lock. */
  readonly use: (world: TestDistribution, image: PushedImage) => Promise<unknown>;
}

const later = ({ registry }: TestDistribution, byMs: number) => {
  registry.time.now += byMs;
};

const rows: readonly Row[] = [
  {
    what: "a tag that is restored",
    async loosen(world) {
      await world.send("DELETE", `${name}/manifests/latest`);
      later(world, windowMs);
    },
    use: ({ store, registry }) => store.db.updateTable("tag").set({ end_at: registry.time.now }).execute(),
  },
  {
    what: "a manifest that is tagged",
    async loosen(world) {
      await world.store.db.deleteFrom("tag").execute();
      later(world, graceMs.manifests);
    },
    use: async ({ send }, { digest, content }) => {
      const { headers } = await send("HEAD", `${name}/manifests/${digest}`);
      const body = { headers: { "content-type": headers.get("content-type") ?? "" }, body: content };
      return send("PUT", `${name}/manifests/again`, body);
    },
  },
  {
    what: "a blob that is pushed again",
    async loosen(world) {
      await world.pushBlob(name, "loose");
      later(world, graceMs.links);
    },
    use: (world) => world.pushBlob(name, "loose"),
  },
  {
    what: "a blob that is mounted where a manifest has it",
    async loosen(world) {
      await world.pushBlob(name, "loose");
      later(world, graceMs.links);
    },
    use: ({ store }) => store.db.updateTable("repository_blob").set({ manifests: 1 }).execute(),
  },
];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "collectRepository on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(rows)("leaves $what meanwhile", async ({ loosen, use }) => {
      await using world = await openTestDistribution({ engine });
      const { store, registry } = world;
      const image = await world.pushImage(name, "latest");
      await loosen(world, image);
      const { id } = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
      const namespaceId = (await findAccount(store.db, "alice"))?.id ?? "";
      let looked = 0;
      const locked = async (take: (db: typeof store.db) => Promise<readonly Collected[]>) => {
        if (looked++ === 0) await use(world, image);
        return store.transaction(take);
      };

      const collected: Collected[] = [];
      const repository = { id, namespaceId, windowMs };
      for await (const item of collectRepository({ db: store.db, locked }, repository, registry.time.now)) {
        collected.push(item);
      }

      expect(looked).toBeGreaterThan(0);
      expect(collected).toEqual([]);
    });
  },
);
