import { anonymous } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { countActions } from "@plimsoll/registry/repositories/count-actions";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";

const [hour, day] = [3_600_000, 86_400_000];

/** Uses of a repository at one instant. */
interface Uses {
  readonly times?: number;
  readonly kind?: "pull_repo" | "push_repo";
}

async function openApp(engine?: (typeof testEngines)[number]) {
  const registry = await openTestRegistry(engine === undefined ? {} : { engine });
  const { store, time } = registry;
  const ada = await registry.user("ada");
  const app = await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  const other = await putRepository(registry, { namespace: ada, name: "other", visibility: "public" });
  const { signal } = new AbortController();
  return {
    registry,
    app,
    other,
    async use(repository: ImageRepository, at: number, { times = 1, kind = "pull_repo" }: Uses = {}) {
      const entry = { kind, metadata: {}, principal: anonymous, at } as const;
      const place = { namespaceId: repository.namespace_id, repositoryId: repository.id };
      for (let time = 0; time < times; time++) await writeUsageLog(store.db, { ...entry, ...place });
    },
    count: () => countActions(store.db, { now: time.now, signal }),
    async popularity() {
      const { body } = await registry.anonymous("GET", "/repository?public=true&popularity=true");
      return Object.fromEntries(
        body.repositories.map(({ name, popularity }: { name: string; popularity: number }) => [name, popularity]),
      );
    },
    async pulls(): Promise<Readonly<Record<string, readonly number[]>>> {
      const { body } = await registry.anonymous("GET", "/repository?public=true&daily_pulls=true");
      return Object.fromEntries(
        body.repositories.map(({ name, daily_pulls }: { name: string; daily_pulls: number[] }) => [name, daily_pulls]),
      );
    },
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "countActions on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "makes popularity of the days that are over, however often it runs",
      async () => {
        const { registry, app, other, use, count, popularity } = await openApp(engine);
        await using _ = registry;
        const { now } = registry.time;
        await use(app, now - day, { times: 3 });
        await use(app, now - 7 * day, { times: 2 });
        await use(app, now - 9 * day, { times: 50 });
        await use(app, now, { times: 7 });
        await use(other, now - 12 * hour - 1);

        await count();
        await count();
        const today = await popularity();
        registry.time.now += 12 * hour;
        await count();

        expect(today).toEqual({ app: 5, other: 1 });
        expect(await popularity()).toEqual({ app: 10, other: 1 });
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "counts pulls separately from other actions, for each of 30 days",
      async () => {
        const { registry, app, use, count, pulls } = await openApp(engine);
        await using _ = registry;
        const { now } = registry.time;
        await use(app, now - day, { times: 3 });
        await use(app, now - day, { times: 5, kind: "push_repo" });
        await use(app, now - 2 * day, { times: 1, kind: "push_repo" });
        await use(app, now - 30 * day, { times: 2 });
        await use(app, now - 31 * day, { times: 9 });
        await use(app, now, { times: 7 });

        await count();

        const none = Array.from({ length: 30 }, () => 0);
        expect(await pulls()).toEqual({ app: [2, ...none.slice(2), 3], other: none });
      },
    );
  },
);

describe("countActions", () => {
  it("catches up with the days of a pause, and shows them day by day", async () => {
    const { registry, app, use, count } = await openApp();
    await using _ = registry;
    await count();
    await use(app, registry.time.now, { times: 2 });
    await use(app, registry.time.now + day, { times: 4 });
    registry.time.now += 3 * day;

    await count();

    const { body } = await registry.anonymous("GET", "/repository/ada/app?includeStats=true");
    expect(body.stats.slice(-4).map(({ count }: { count: number }) => count)).toEqual([2, 4, 0, 0]);
  });

  it("deletes counts that are no longer shown", async () => {
    const { registry, app, use, count } = await openApp();
    await using _ = registry;
    await use(app, registry.time.now);
    registry.time.now += day;
    await count();
    const { db } = registry.store;
    const before = await db.selectFrom("daily_action_count").select("day").execute();
    registry.time.now += 91 * day;
    await count();

    expect(before).toEqual([{ day: "2026-11-21" }]);
    expect(await db.selectFrom("daily_action_count").select("day").execute()).toEqual([]);
  });
});
