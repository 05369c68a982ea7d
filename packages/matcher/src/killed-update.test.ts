import { once } from "node:events";
import { openStore } from "@plimsoll/store";
import { engineTitle, fakeUpdater, forkProgram, testAdvisory, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noFeeds } from "./fixtures/test-stores.ts";
import { advisoriesOf } from "./store/advisories.ts";
import { matcherMigrations } from "./store/migrations/all.ts";
import type { MatcherTables } from "./store/tables.ts";
import { updateFeeds } from "./update-feeds.ts";

const moments = ["staging", "changing", "publishing"] as const;
type Moment = (typeof moments)[number];

/** Runs an update in a process of its own and kills it at the moment named. */
async function killUpdate(location: string, moment: Moment): Promise<void> {
  const child = forkProgram(new URL("./fixtures/killed-update.ts", import.meta.url), [location, moment]);
  const [message] = await once(child, "message");
  expect(message).toBe(moment);
  child.kill("SIGKILL");
  await once(child, "exit");
}

const key = { ecosystem: "debian:12", name: "zlib" };

const cases = testEngines
  .filter(({ shared }) => shared)
  .flatMap((engine) => moments.map((moment) => ({ engine, moment, title: engineTitle(engine) })));

describe("an update that is killed", () => {
  it.for(cases)("while $moment leaves the data whole on $title", async ({ engine, moment }, { skip }) => {
    skip(engine.skip !== undefined, engine.skip);
    await using database = await engine.create();
    await using store = await openStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
    const items = Array.from({ length: 100 }, (_, index) => testAdvisory({ id: `old/${index}` }));
    const answer = { kind: "snapshot", fingerprint: "1", items } as const;
    const updater = fakeUpdater("feed", answer, { ...answer, fingerprint: "3" });
    const run = (now: number) =>
      updateFeeds({ updaters: [updater], enrichers: [] }, { store, feeds: noFeeds, clock: { now: () => now } });
    await run(0);

    await killUpdate(database.location, moment);

    const shown = async () => (await advisoriesOf(store).lookup([key])).map(({ id }) => id).sort();
    const before = items.map(({ id }) => id).sort();
    expect(await shown()).toEqual(before);
    expect(await advisoriesOf(store).details(["new/1"])).toEqual([]);
    // Long before the lease runs out: on SQLite at once, on PostgreSQL as soon as the server sees the connection end.
    if (store.kind === "sqlite") expect((await run(2_000))[0]?.kind).toBe("updated");
    else await expect.poll(async () => (await run(2_000))[0]?.kind).toBe("updated");
    expect(updater.asked.at(-1)).toBe("1");
    expect(await shown()).toEqual(before);
    const rows = await store.db.selectFrom("advisory").select(["advisory_id", "valid_to"]).execute();
    expect(rows.map(({ valid_to }) => valid_to)).toEqual(items.map(() => null));
    expect(await store.db.selectFrom("current_rules").select("valid_to").execute()).toEqual([{ valid_to: null }]);
    expect(await store.db.selectFrom("running_update").select("updater").execute()).toEqual([]);
    const staged = (table: "advisory_staging" | "text_staging") =>
      store.transaction((trx) => trx.selectFrom(table).select("run").execute());
    expect([...(await staged("advisory_staging")), ...(await staged("text_staging"))]).toEqual([]);
    expect(await store.db.selectFrom("shared_text").select("id").execute()).toHaveLength(1);
  });

  it.for(cases)(
    "while $moment its first snapshot leaves nothing that counts on $title",
    async ({ engine, moment }, { skip }) => {
      skip(engine.skip !== undefined, engine.skip);
      await using database = await engine.create();
      await using store = await openStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      const answer = { kind: "snapshot", fingerprint: "3", items: [testAdvisory({ id: "a" })] } as const;
      const updater = fakeUpdater("feed", answer);
      const run = () =>
        updateFeeds({ updaters: [updater], enrichers: [] }, { store, feeds: noFeeds, clock: { now: () => 2_000 } });

      await killUpdate(database.location, moment);

      expect(await advisoriesOf(store).details(["new/1"])).toEqual([]);
      expect(await store.db.selectFrom("running_update").select("updater").execute()).toEqual([{ updater: "feed" }]);
      if (store.kind === "sqlite") expect((await run())[0]?.kind).toBe("updated");
      else await expect.poll(async () => (await run())[0]?.kind).toBe("updated");
      expect(await store.db.selectFrom("advisory").select("advisory_id").execute()).toEqual([{ advisory_id: "a" }]);
      expect(await store.db.selectFrom("shared_text").select("id").execute()).toHaveLength(1);
      expect(await store.db.selectFrom("running_update").select("updater").execute()).toEqual([]);
    },
  );
});
