import { randomUUID } from "node:crypto";
import { pruneNamespaceJob, pruneSchedule, pruneSoon } from "@plimsoll/registry/lifecycle/pruning/jobs";
import { pruneNamespace } from "@plimsoll/registry/lifecycle/pruning/prune-namespace";
import { enqueueJob, listJobs, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

const day = 86_400_000;
const never = new AbortController().signal;

async function openWorld(engine?: TestEngine) {
  const registry = await openTestRegistry(engine ? { engine } : {});
  const ada = await registry.user("ada");
  const acme = await registry.organization("acme", { admin: [ada] });
  const app = await putRepository(registry, { namespace: acme, name: "app" });
  const manifest = await putManifest(registry, app, { content: {} });
  const { store } = registry;
  const time = fakeTime(registry.time.now);
  const now = registry.time.now;
  for (const [name, days] of Object.entries({ v4: 1, dev2: 2, v3: 3, dev1: 4, v2: 5, v1: 6 })) {
    await putTag(registry, app, { name, manifest, startAt: now - days * day });
  }
  return {
    registry,
    acme,
    app,
    manifest,
    time,
    call: await registry.session(ada),
    run: () => runDueJobs({ store, jobs: [pruneNamespaceJob.withContext({ store, clock: time.clock })], ...time }),
    async alive(repository = app) {
      const rows = await store.db
        .selectFrom("tag")
        .select(["name", "end_at"])
        .where("repository_id", "=", repository.id)
        .execute();
      return rows.flatMap(({ name, end_at }) => (end_at === null || end_at > time.clock.now() ? [name] : [])).sort();
    },
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

const ofOrganization = "/organization/acme/autoprunepolicy/";
const ofRepository = "/repository/acme/app/autoprunepolicy/";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "pruneNamespace on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("leaves immutable tags alone, and does not count them; the preview says so", async () => {
      await using world = await openWorld(engine);
      await world.call("POST", "/repository/acme/app/immutabilitypolicy/", { tagPattern: "v[34]" });
      await world.call("POST", ofRepository, { method: "number_of_tags", value: 1 });
      const preview = await world.call("GET", "/repository/acme/app/autoprunepreview");

      await world.run();

      expect(await world.alive()).toEqual(["dev2", "v3", "v4"]);
      expect(preview.body.tags.slice(0, 3)).toMatchObject([
        { name: "v4", deleted: false, kept: "immutable", judgements: [] },
        { name: "dev2", deleted: false, judgements: [{ rank: 1 }] },
        { name: "v3", kept: "immutable" },
      ]);
    });

    it.skipIf(engine.skip)(
      "applies the policies of the namespace and of the repository, and logs what goes",
      async () => {
        await using world = await openWorld(engine);
        await world.call("POST", ofOrganization, { method: "creation_date", value: "5d" });
        await world.call("POST", ofRepository, { method: "number_of_tags", value: 1, tagPattern: "dev" });

        await world.run();

        expect(await world.alive()).toEqual(["dev2", "v2", "v3", "v4"]);
        const entries = (await world.registry.usageLog()).filter(({ kind }) => kind === "autoprune_tag_delete");
        expect(entries).toEqual(
          ["dev1", "v1"].map((tag) => ({
            kind: "autoprune_tag_delete",
            metadata: { performer: "autoprune worker", namespace: "acme", repo: "app", tag },
          })),
        );
        const history = await world.call("GET", "/repository/acme/app/tag/?specificTag=v1");
        expect(history.body.tags).toMatchObject([{ name: "v1", end_ts: world.time.clock.now() / 1000 }]);
        const restored = await world.call("POST", "/repository/acme/app/tag/v1/restore", {
          manifest_digest: world.manifest.digest,
        });
        expect(restored.status).toBe(201);
      },
    );

    it.skipIf(engine.skip)("says beforehand what goes and why the rest stays, and does exactly that", async () => {
      await using world = await openWorld(engine);
      await world.call("POST", ofOrganization, { method: "creation_date", value: "5d", tagPattern: "^v" });
      const { uuid } = (
        await world.call("POST", ofRepository, { method: "number_of_tags", value: 2, tagPattern: "^v" })
      ).body;
      await putTag(world.registry, world.app, {
        name: `sha256-${"a".repeat(64)}.sig`,
        manifest: world.manifest,
        startAt: 7,
      });

      const preview = await world.call("GET", "/repository/acme/app/autoprunepreview");
      const second = await world.call("GET", "/repository/acme/app/autoprunepreview?limit=2&page=2");
      const more = await world.call(
        "GET",
        "/repository/acme/app/autoprunepreview?method=number_of_tags&value=1&tagPattern=dev",
      );
      await world.run();

      const deleted = ({ body }: typeof preview) =>
        body.tags.flatMap((tag: { deleted: boolean; name: string }) => (tag.deleted ? tag.name : []));
      expect(deleted(preview)).toEqual(["v2", "v1"]);
      expect(preview.body.tags.map((tag: { kept?: string }) => tag.kept)).toEqual([
        ...[undefined, "no_policy", undefined, "no_policy", undefined, undefined, "referrer"],
      ]);
      expect(preview.body.tags[4]).toMatchObject({
        name: "v2",
        judgements: [{ reason: "new_enough" }, { policy: uuid, reason: "too_many", rank: 3 }],
      });
      expect(preview.body.tags[5]).toMatchObject({ name: "v1", judgements: [{ reason: "too_old" }] });
      expect(second.body).toMatchObject({ tags: [{ name: "v3" }, { name: "dev1" }], page: 2, has_additional: true });
      expect(deleted(more)).toEqual(["dev1", "v2", "v1"]);
      expect((await world.alive()).filter((name) => !name.startsWith("sha256-"))).toEqual(["dev1", "dev2", "v3", "v4"]);
    });

    it.skipIf(engine.skip)("ends the signature of an image with its last tag", async () => {
      await using world = await openWorld(engine);
      const other = await putManifest(world.registry, world.app, { content: { annotations: { other: "1" } } });
      const sibling = `${world.manifest.digest.replace(":", "-")}.sig`;
      await putTag(world.registry, world.app, {
        name: sibling,
        manifest: other,
        startAt: world.registry.time.now - 9 * day,
      });
      await world.call("POST", ofOrganization, { method: "creation_date", value: "0s" });

      await world.run();

      expect(await world.alive()).toEqual([]);
    });

    it.skipIf(engine.skip)("goes through many tags in steps", async () => {
      await using world = await openWorld(engine);
      for (let n = 0; n < 1300; n++) {
        await putTag(world.registry, world.app, {
          name: `n${n}`,
          manifest: world.manifest,
          startAt: 1000 + Math.floor(n / 3),
        });
      }
      await world.call("POST", ofOrganization, { method: "number_of_tags", value: 100 });

      await world.run();

      expect(await world.alive()).toHaveLength(100);
    });
  },
);

describe("pruneNamespace", () => {
  it.each(["READ_ONLY", "MIRROR"] as const)("leaves a repository in the state %s alone", async (state) => {
    await using world = await openWorld();
    await world.call("POST", ofOrganization, { method: "number_of_tags", value: 1 });
    await world.registry.store.db.updateTable("image_repository").set({ state }).execute();

    await world.run();

    expect(await world.alive()).toHaveLength(6);
    const { body } = await world.call("GET", "/repository/acme/app/autoprunepreview");
    expect(body.tags[5]).toMatchObject({ deleted: false, kept: "state", judgements: [{ reason: "too_many" }] });
  });

  it("leaves a disabled namespace alone", async () => {
    await using world = await openWorld();
    const { store } = world.registry;
    await world.call("POST", ofOrganization, { method: "number_of_tags", value: 1 });
    await store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", world.acme.id).execute();

    await pruneNamespace({ store, clock: world.time.clock }, { namespaceId: world.acme.id }, never);

    expect(await world.alive()).toHaveLength(6);
  });

  it("recurs while there are policies, and at once when one changes", async () => {
    await using world = await openWorld();
    const { store } = world.registry;
    const { uuid } = (await world.call("POST", ofOrganization, { method: "number_of_tags", value: 5 })).body;
    await world.run();
    const first = (await world.alive()).length;
    await world.call("PUT", `${ofOrganization}${uuid}`, { method: "number_of_tags", value: 3 });
    world.time.advance(1);
    await world.run();
    const second = (await world.alive()).length;
    await putTag(world.registry, world.app, { name: "new", manifest: world.manifest });
    world.time.advance(2 * 3_600_000);
    await world.run();
    const third = await world.alive();
    await world.call("DELETE", `${ofOrganization}${uuid}`);
    await pruneSchedule.follow(store.db, world.time.clock);

    expect([first, second, third.length]).toEqual([5, 3, 3]);
    expect(third).toContain("new");
    expect(await listJobs(store.db, { kind: pruneNamespaceJob.kind })).toEqual([]);
  });

  it("prunes a repository half a minute after a push, once for all pushes of that time", async () => {
    await using world = await openWorld();
    const { store } = world.registry;
    const { clock } = world.time;
    await world.call("POST", ofRepository, { method: "number_of_tags", value: 6 });
    await world.run();
    await putTag(world.registry, world.app, { name: "new", manifest: world.manifest });
    for (const _ of [1, 2, 3]) await enqueueJob(store.db, pruneSoon(world.app, clock), clock);
    const queued = await listJobs(store.db, { kind: pruneNamespaceJob.kind });
    world.time.advance(30_000);
    await world.run();

    expect(queued).toHaveLength(2); // the recurring one of the namespace, and one of the repository
    expect(await world.alive()).toEqual(["dev1", "dev2", "new", "v2", "v3", "v4"]);
  });

  it("leaves out a repository whose policies take too long, says so, and prunes the others", async () => {
    await using world = await openWorld();
    const { registry, call, app, acme } = world;
    const other = await putRepository(registry, { namespace: acme, name: "other" });
    const manifest = await putManifest(registry, other, { content: {} });
    for (const name of ["old", "new"])
      await putTag(registry, other, { name, manifest, startAt: registry.time.now - day });
    for (const [owner, letter] of [
      [ofOrganization, "a"],
      [ofRepository, "b"],
    ] as const)
      for (const count of [470, 480])
        await call("POST", owner, { method: "number_of_tags", value: 1, tagPattern: `${letter}{${count}}` });
    await call("POST", "/repository/acme/other/autoprunepolicy/", { method: "number_of_tags", value: 1 });
    const rows = await registry.store.db.selectFrom("tag").selectAll().where("repository_id", "=", app.id).execute();
    const many = Array.from({ length: 4200 }, (_, at) => ({
      ...rows[0],
      id: randomUUID(),
      name: `${at}`.padStart(128, "x"),
    }));
    for (let at = 0; at < many.length; at += 300)
      await registry.store.db
        .insertInto("tag")
        .values(many.slice(at, at + 300) as never)
        .execute();

    await world.run();
    const preview = await call("GET", "/repository/acme/app/autoprunepreview?page=20&limit=100");

    expect(await world.alive(other)).toHaveLength(1);
    expect(await world.alive(app)).toHaveLength(4206);
    expect(await listJobs(registry.store.db, { kind: pruneNamespaceJob.kind })).toMatchObject([
      { lastError: expect.stringContaining("Matching the tags of acme/app with its prune policies takes more than") },
    ]);
    expect(preview).toMatchObject({ status: 400, body: { detail: expect.stringContaining("use fewer patterns") } });
  });

  it("has at most 50 policies of an owner, whose patterns are small together", async () => {
    await using world = await openWorld();
    const add = async (value: number, tagPattern?: string) => {
      const { status, body } = await world.call("POST", ofRepository, { method: "number_of_tags", value, tagPattern });
      return status === 201 ? "added" : body.detail;
    };

    for (let value = 1; value <= 46; value++) await add(value);
    for (const letter of "abcd") expect(await add(1, `${letter}{230}`)).toBe("added");
    expect(await add(99)).toContain("at most 50 prune policies: remove one first");
    const { policies } = (await world.call("GET", ofRepository)).body;
    const change = { tagPattern: "(a{0,30}){0,30}" };
    const changed = await world.call("PUT", `${ofRepository}${policies[0].uuid}`, change);
    expect(changed).toMatchObject({ status: 400, body: { detail: expect.stringContaining("more than 500") } });
  });

  it("shows why a policy that an older version stored removes nothing", async () => {
    await using world = await openWorld();
    const { uuid } = (await world.call("POST", ofRepository, { method: "number_of_tags", value: 1, tagPattern: "v" }))
      .body;
    const { db } = world.registry.store;
    await db.updateTable("prune_policy").set({ tag_pattern: "(v{0,30}){0,30}" }).execute();

    await world.run();

    expect(await world.alive()).toHaveLength(6);
    const shown = await world.call("GET", `${ofRepository}${uuid}`);
    expect(shown.body).toMatchObject({
      tagPattern: "(v{0,30}){0,30}",
      problem: expect.stringContaining("more than 500"),
    });
  });
});
