import { listNewestTags } from "@plimsoll/registry/repositories/queries/repositories";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution } from "../fixtures/test-distribution.ts";

const hourMs = 3_600_000;
const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("what is looked up by the hour on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)("is what is alive at the instant, whenever in the hour that is", async () => {
    await using world = await openTestDistribution({ engine });
    const { store, send, registry } = world;
    await world.pushImage("alice/images", "stays");
    for (const name of ["ends", "ends-later"]) await world.pushImage("alice/images", name);
    const { id } = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
    const hour = Math.ceil(registry.time.now / hourMs) * hourMs;
    const setEnd = (name: string, end_at: number) =>
      store.db.updateTable("tag").set({ end_at }).where("name", "=", name).execute();
    await setEnd("ends", hour + 1_000);
    await setEnd("ends-later", hour + hourMs);
    const at = async (now: number) => {
      registry.time.now = now;
      const { tags } = (await (await send("GET", "alice/images/tags/list")).json()) as { readonly tags: string[] };
      const { tags: page } = (await (await send("GET", "alice/images/tags/list?n=2")).json()) as {
        readonly tags: string[];
      };
      const newest = (await listNewestTags(store.db, id, now)).map(({ name }) => name);
      return [tags.join(" "), page.join(" "), newest.toSorted().join(" ")];
    };

    const found = [
      await at(hour - 1),
      await at(hour),
      await at(hour + 999),
      await at(hour + 1_000),
      await at(hour + 1_001),
      await at(hour + hourMs - 1),
      await at(hour + hourMs),
    ];

    const all = ["ends ends-later stays", "ends ends-later", "ends ends-later stays"];
    const two = ["ends-later stays", "ends-later stays", "ends-later stays"];
    expect(found).toEqual([all, all, all, two, two, two, ["stays", "stays", "stays"]]);
  });
});
