import { findAccount } from "@plimsoll/registry/access/queries";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { collectionJobs } from "@plimsoll/registry/lifecycle/collection/jobs";
import type { RegistryDb, RegistryTables } from "@plimsoll/registry/store/tables/all";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { sql } from "kysely";
import { expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import { fillRegistry, largeId } from "../../fixtures/fill-registry.ts";
import type { TestDistribution } from "../../fixtures/test-distribution.ts";

async function fill({ store, registry }: TestDistribution): Promise<void> {
  const sizes = { repositories: 1_005, tags: 100, logs: 10, users: 100, teams: 120, robots: 120 };
  await fillRegistry(store.db, sizes, registry.time.now);
}

async function deleteLarge({ store, registry }: TestDistribution): Promise<void> {
  const large = await findAccount(store.db, "large");
  if (large === undefined) throw new Error("there is no such organization");
  await store.transaction((db) => deleteNamespace(db, large, { now: () => registry.time.now }));
}

async function collect({ store, blobs, registry }: TestDistribution): Promise<void> {
  const clock = { now: () => registry.time.now };
  const jobs = collectionJobs({ store, blobs, clock });
  await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
}

async function count({ store }: TestDistribution, table: keyof RegistryTables): Promise<number> {
  const rows = await store.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows.rows);
}

/** The operations that show an organization and its content. */
const asked = ["", "/members", "/collaborators", "/robots", "/team/team2/members", "/prototypes"]
  .map((path) => `/organization/large${path}`)
  .concat("/repository/large/repository1", "/repository/large/repository1/tag/");

onEachEngine("deleteNamespace of many repositories, robots and teams", (test) => {
  test("hides it at once, leaves its content to the job, and keeps the name", async (world) => {
    await fill(world);
    const admin = await world.registry.user("admin");
    await world.store.db.insertInto("team_member").values({ team_id: "t2", account_id: admin.id }).execute();
    const session = await world.registry.session(admin);
    const show = (as = "large") =>
      Promise.all(asked.map(async (path) => (await session("GET", path.replace("large", as))).status));
    const before = await show();
    await deleteLarge(world);

    const pull = await world.send("GET", "large/repository1/tags/list", { as: "user2" });
    const after = await show();
    const otherwise = [await show(largeId), await show(`:${largeId}`)];
    const large = world.store.db.selectFrom("account").select(["username", "enabled"]).where("id", "=", largeId);

    expect(pull.status).toBe(401);
    expect(before).toEqual(asked.map(() => 200));
    expect(after).toEqual([404, ...asked.slice(1).map(() => 403)]);
    for (const each of otherwise) expect(each.every((status) => status >= 400)).toBe(true);
    expect(await large.executeTakeFirst()).toEqual({ username: `:${largeId}`, enabled: 0 });
    expect(await count(world, "image_repository")).toBe(1_005);
    expect(await count(world, "retired_namespace")).toBe(1);
  });

  test("removes all of its rows in small transactions, and no others", async (world) => {
    await fill(world);
    await deleteLarge(world);
    const { store } = world;
    const before = await countAll(store.db);
    const removed: number[] = [];
    const watched = {
      ...store,
      transaction: (work: Parameters<typeof store.transaction>[0]) =>
        store.transaction(async (db) => {
          const rows = await countAll(db);
          const result = await work(db);
          removed.push(rows - (await countAll(db)));
          return result;
        }),
    } as typeof store;

    await collect({ ...world, store: watched });

    const left = await Promise.all(counted.map((table) => count(world, table)));
    expect(Object.fromEntries(counted.map((table, index) => [table, left[index]]))).toMatchObject({
      image_repository: 804,
      robot: 60,
      team: 60,
      team_member: 0,
      account_permission: 0,
      team_permission: 0,
    });
    for (const name of ["large", largeId]) expect(await findAccount(store.db, name)).toBeUndefined();
    expect(await count(world, "retired_namespace")).toBe(0);
    expect(Math.max(...removed)).toBeLessThanOrEqual(500);
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(before - (await countAll(store.db)));
  });
});

const counted = [
  "account",
  "robot",
  "team",
  "team_member",
  "account_permission",
  "team_permission",
  "image_repository",
  "tag",
] as const;

async function countAll(db: RegistryDb): Promise<number> {
  const { rows } = await sql<{ readonly rows: number }>`
    select ${sql.join(
      counted.map((table) => sql`(select count(*) from ${sql.table(table)})`),
      sql` + `,
    )} as rows`.execute(db);
  return Number(rows[0]?.rows);
}
