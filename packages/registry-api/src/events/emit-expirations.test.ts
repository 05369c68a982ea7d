import { insertTag } from "@plimsoll/registry/content/queries/tags";
import { emitExpirationsJob } from "@plimsoll/registry/events/expiration-job";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { enqueueJob, listJobs, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestManifest } from "../fixtures/test-content.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";

const dayMs = 86_400_000;

async function openWorld(engine: TestEngine) {
  const registry = await openTestRegistry({
    engine,
    ports: { outgoing: createOutgoing({ check: async () => {}, send: fetch }) },
  });
  const ada = await registry.user("ada");
  const repository = await putRepository(registry, { namespace: ada, name: "app" });
  const call = await registry.session(ada);
  const { store, settings, pageAddress } = registry;
  const { db } = store;
  const time = fakeTime(registry.time.now);
  const manifest_id = await addTestManifest(db, repository.id, `sha256:${"a".repeat(64)}`);
  const begun = time.clock.now();
  const jobs = [emitExpirationsJob.withContext({ store, clock: time.clock, settings, pageAddress })];
  const told = new Set<string>();
  return {
    db,
    time,
    ends: (name: string, inDays: number | null) => ({ name, end_at: inDays === null ? null : begun + inDays * dayMs }),
    tag: ({ name, end_at }: { readonly name: string; readonly end_at: number | null }) =>
      insertTag(db, {
        id: name,
        repository_id: repository.id,
        name,
        manifest_id,
        start_at: begun,
        end_at,
        reversion: 0,
      }),
    notify: async (days: number) =>
      (
        await call("POST", "/repository/ada/app/notification/", {
          event: "repo_image_expiry",
          method: "webhook",
          config: { url: "https://hooks.example.com/" },
          eventConfig: { days },
        })
      ).body.uuid as string,
    /** The events of one run: `DAYS: TAGS`. */
    run: async () => {
      await enqueueJob(db, emitExpirationsJob.of(null), time.clock);
      await runDueJobs({ store, jobs, ...time });
      const queued = await listJobs(db, { kind: "registry.deliver-notification" });
      const fresh = queued.filter(({ id }) => !told.has(id));
      for (const { id } of fresh) told.add(id);
      return fresh
        .map(
          ({ payload }) =>
            (payload as { readonly event: { readonly tags: string[]; readonly expiring_in: string } }).event,
        )
        .map(({ tags, expiring_in }) => `${expiring_in}: ${tags.toSorted().join(" ")}`)
        .toSorted();
    },
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "emitExpirations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)(
      "tells of tags within the days of the notification, once, and again when that changed",
      async () => {
        await using world = await openWorld(engine);
        for (const [name, days] of [
          ["soon", 0.5],
          ["week", 6.5],
          ["also", 6.2],
          ["later", 9],
          ["gone", -1],
          ["ever", null],
        ] as const)
          await world.tag(world.ends(name, days));
        await world.notify(7);

        expect(await world.run()).toEqual(["1 day: soon", "7 days: also week"]);
        expect(await world.run()).toEqual([]);

        await world.db
          .updateTable("tag")
          .set({ end_at: world.ends("week", 3).end_at })
          .where("id", "=", "week")
          .execute();
        world.time.advance(2 * dayMs);
        expect(await world.run()).toEqual(["1 day: week", "7 days: later"]);
      },
    );

    it.skipIf(engine.skip)(
      "emits to each notification by its own number of days, and to none that failures have disabled",
      async () => {
        await using world = await openWorld(engine);
        await world.tag(world.ends("one", 2));
        await world.notify(1);
        const stopped = await world.notify(30);
        await world.notify(30);
        await world.db.updateTable("event_notification").set({ failures: 3 }).where("id", "=", stopped).execute();

        expect(await world.run()).toEqual(["2 days: one"]);
      },
    );

    it.skipIf(engine.skip)("emits events for more tags than one page has", async () => {
      await using world = await openWorld(engine);
      for (let index = 0; index < 450; index++) await world.tag(world.ends(`t${index}`, 1 + index / 1000));
      await world.notify(7);

      const told = await world.run();

      expect(told.flatMap((each) => each.split(": ")[1]?.split(" ") ?? [])).toHaveLength(450);
      expect(await world.run()).toEqual([]);
    });
  },
);
