import { setTagEnd } from "@plimsoll/registry/content/queries/tags";
import { endTag, findAliveTag, putTag } from "@plimsoll/registry/content/tags";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestManifest, addTestRepository } from "../fixtures/test-content.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const digestA = `sha256:${"a".repeat(64)}`;
const digestB = `sha256:${"b".repeat(64)}`;

async function openWorld(engine: TestEngine) {
  const registry = await openTestRegistry({ engine });
  const { store, time } = registry;
  const { id: namespaceId } = await registry.user("alice");
  const repositoryId = await addTestRepository(store.db, namespaceId);
  const a = await addTestManifest(store.db, repositoryId, digestA);
  const b = await addTestManifest(store.db, repositoryId, digestB);
  const at = (name: string) => ({ repositoryId, name, now: time.now });
  return {
    registry,
    a,
    b,
    at,
    time,
    put: (name: string, manifestId: string, endAt?: number) =>
      store.transaction((db) => putTag(db, { ...at(name), manifestId, endAt })),
    end: (name: string) => store.transaction((db) => endTag(db, at(name))),
    alive: async (name: string) => (await findAliveTag(store.db, at(name)))?.manifest_id,
    rows: () => store.db.selectFrom("tag").selectAll().orderBy("start_at").execute(),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))("tags on $title", ({ engine }) => {
  const test = it.skipIf(engine.skip !== undefined);

  test("are alive from when they are put", async () => {
    await using world = await openWorld(engine);

    const { tag, previous } = await world.put("latest", world.a);

    expect(previous).toBeUndefined();
    expect(tag).toMatchObject({ start_at: world.time.now, end_at: null, reversion: 0 });
    expect(await world.alive("latest")).toBe(world.a);
    expect(await world.alive("other")).toBeUndefined();
  });

  test("end when they are put again, once a millisecond or often", async () => {
    await using world = await openWorld(engine);

    for (const manifest of [world.a, world.b, world.a, world.b]) await world.put("latest", manifest);

    const rows = await world.rows();
    expect(rows.map(({ end_at }) => end_at === null)).toEqual([false, false, false, true]);
    expect(new Set(rows.map(({ end_at }) => end_at)).size).toBe(4);
    expect(rows.every(({ end_at }) => end_at === null || end_at <= world.time.now)).toBe(true);
    expect(await world.alive("latest")).toBe(world.b);
  });

  test("end by themselves at their expiration", async () => {
    await using world = await openWorld(engine);
    await world.put("latest", world.a, world.time.now + 10);

    const before = await world.alive("latest");
    world.time.now += 10;

    expect([before, await world.alive("latest")]).toEqual([world.a, undefined]);
  });

  test("get another expiration while they are alive", async () => {
    await using world = await openWorld(engine);
    const { tag } = await world.put("latest", world.a);
    const { db } = world.registry.store;
    const now = world.time.now;

    expect(await setTagEnd(db, { id: tag.id, now, endAt: now + 5 })).toBe(true);
    expect(await setTagEnd(db, { id: tag.id, now: now + 5, endAt: undefined })).toBe(false);
    expect(await setTagEnd(db, { id: tag.id, now, endAt: undefined })).toBe(true);
  });

  test("end with those that stand for the signatures of their image", async () => {
    await using world = await openWorld(engine);
    const signature = `${digestA.replace(":", "-")}.sig`;
    for (const name of ["one", "two"]) await world.put(name, world.a);
    await world.put(signature, world.b);

    expect(await world.end("missing")).toBeUndefined();
    expect(await world.end("one")).toMatchObject({ name: "one", manifest_id: world.a });
    expect(await world.alive(signature)).toBe(world.b);
    await world.end("two");

    expect(await world.alive(signature)).toBeUndefined();
  });

  test("end with those that stand for the signatures of their image when the last is moved to another", async () => {
    await using world = await openWorld(engine);
    const signature = `${digestA.replace(":", "-")}.sig`;
    for (const name of ["one", "two"]) await world.put(name, world.a);
    await world.put(signature, world.b);

    await world.put("one", world.a);
    await world.put("one", world.b);
    const before = await world.alive(signature);
    await world.put("two", world.b);

    expect(before).toBe(world.b);
    expect(await world.alive(signature)).toBeUndefined();
  });

  test("have one lifetime at a time, however many put them at once", async () => {
    await using world = await openWorld(engine);

    const done = await Promise.all(
      Array.from({ length: 20 }, (_, i) => world.put("latest", i % 2 ? world.a : world.b)),
    );

    const rows = await world.rows();
    expect(done).toHaveLength(20);
    expect(rows).toHaveLength(20);
    expect(rows.filter(({ end_at }) => end_at === null)).toHaveLength(1);
  });
});
