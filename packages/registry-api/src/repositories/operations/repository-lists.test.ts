import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Call, openTestRegistry } from "../../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

/** Repositories that ada or bob may see, one for each reason there is, and repositories that they may not see. */
async function openMixed(options: Parameters<typeof openTestRegistry>[0] = {}) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  const bob = await registry.user("bob");
  const acme = await registry.organization("acme", { admin: [bob], member: [ada] });
  const umbrella = await registry.organization("umbrella", { admin: [ada, bob], creator: [ada] });
  await putRepository(registry, { namespace: ada, name: "own" });
  await putRepository(registry, { namespace: bob, name: "private" });
  await putRepository(registry, { namespace: bob, name: "shown", visibility: "public" });
  await putRepository(registry, { namespace: acme, name: "granted", creator: bob, roles: { read: ada } });
  const team = await putRepository(registry, { namespace: acme, name: "team", creator: bob });
  await putRepository(registry, { namespace: acme, name: "hidden", creator: bob });
  await putRepository(registry, { namespace: umbrella, name: "administered", creator: bob, visibility: "public" });
  const grant = { repository_id: team.id, team_id: `${acme.id}-member`, role: "write" as const };
  await registry.store.db.insertInto("team_permission").values(grant).execute();
  return { registry, ada, bob, acme };
}

async function namesOf(call: Call, query: string): Promise<readonly string[]> {
  const { body } = await call("GET", `/repository?${query}`);
  return body.repositories
    .map(({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`)
    .sort();
}

const adas = ["acme/granted", "acme/team", "ada/own", "umbrella/administered"];
const bobs = ["acme/granted", "acme/hidden", "acme/team", "bob/private", "bob/shown", "umbrella/administered"];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "listRepos on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("shows each caller what they may see, once", async () => {
      const { registry, ada, bob } = await openMixed({ engine });
      await using _ = registry;
      const callers = {
        ada: await registry.session(ada),
        bob: await registry.session(bob),
        auditor: await registry.session(await registry.user("auditor")),
        root: await registry.session(await registry.user("root")),
        reader: await registry.token(ada, "repo:read"),
        outsider: await registry.token(ada, "org:admin"),
        anonymous: registry.anonymous,
      };
      const everything = [...new Set([...adas, ...bobs])].sort();
      const everywhere = ["bob/shown", "umbrella/administered"];

      const rows = [
        { who: "ada", query: "public=true", names: [...adas, "bob/shown"].sort() },
        { who: "ada", query: "namespace=acme", names: ["acme/granted", "acme/team"] },
        { who: "ada", query: "namespace=bob", names: [] },
        { who: "ada", query: "namespace=bob&public=true", names: ["bob/shown"] },
        { who: "ada", query: "namespace=umbrella", names: ["umbrella/administered"] },
        { who: "ada", query: "namespace=nobody", names: [] },
        { who: "reader", query: "namespace=acme", names: ["acme/granted", "acme/team"] },
        { who: "outsider", query: "namespace=acme&public=true", names: [] },
        { who: "outsider", query: "public=true", names: everywhere },
        { who: "bob", query: "public=true", names: bobs },
        { who: "anonymous", query: "public=true", names: everywhere },
        { who: "anonymous", query: "namespace=bob", names: [] },
        { who: "auditor", query: "public=true", names: everything },
        { who: "auditor", query: "namespace=acme", names: ["acme/granted", "acme/hidden", "acme/team"] },
        { who: "root", query: "public=true", names: everywhere },
      ] as const;
      for (const { who, query, names } of rows) {
        expect({ who, query, names: await namesOf(callers[who], query) }).toEqual({ who, query, names });
      }
    });

    it.skipIf(engine.skip !== undefined)(
      "orders those of a namespace, page by page, and shows nobody more",
      async () => {
        const { registry, ada, bob, acme } = await openMixed({ engine });
        await using _ = registry;
        const more = Array.from({ length: 101 }, (_, at) => ({
          name: `r${String(at).padStart(3, "0")}`,
          size: at % 50,
        }));
        const rows = await Promise.all(
          more.map(({ name }) =>
            putRepository(registry, { namespace: acme, name, creator: bob, visibility: "public" }),
          ),
        );
        for (const [at, repository] of rows.entries()) {
          const { id } = repository;
          const manifest = await putManifest(registry, repository, { content: {} });
          await putTag(registry, repository, { name: "1", manifest, startAt: registry.time.now - (at % 60) * 1000 });
          const change = registry.store.db.updateTable("image_repository").set({ size_bytes: more[at]?.size ?? 0 });
          await change.where("id", "=", id).execute();
        }
        const callers = { ada: await registry.session(ada), bob: await registry.session(bob) };
        const walk = async (who: keyof typeof callers, query: string) => {
          const seen: { name: string; last_modified?: number; quota_report: { quota_bytes: number } }[] = [];
          for (let next = ""; ; ) {
            const { body } = await callers[who]("GET", `/repository?namespace=acme&${query}${next}`);
            seen.push(...body.repositories);
            if (body.next_page === undefined) return seen;
            next = `&next_page=${body.next_page}`;
          }
        };
        const namesBy = async (who: keyof typeof callers, query: string) =>
          (await walk(who, query)).map(({ name }) => name);

        const names = ["granted", "hidden", ...more.map(({ name }) => name), "team"];
        expect(await namesBy("bob", "order=name")).toEqual(names);
        expect(await namesBy("bob", "order=-name")).toEqual(names.toReversed());
        expect(await namesBy("ada", "order=name")).toEqual(["granted", "team"]);
        expect(await namesBy("ada", "order=name&public=true")).toEqual(names.filter((name) => name !== "hidden"));
        const sizes = (await walk("bob", "order=-size")).map(({ quota_report: report }) => report.quota_bytes);
        expect(sizes).toEqual([...more.map(({ size }) => size), 0, 0, 0].sort((one, other) => other - one));
        expect(new Set(await namesBy("bob", "order=size"))).toEqual(new Set(names));
        const changes = await walk("bob", "order=-changed&last_modified=true");
        const seconds = changes.map(({ last_modified: at }) => at ?? 0);
        expect(seconds).toEqual(seconds.toSorted((one, other) => other - one));
        expect(new Set(changes.map(({ name }) => name))).toEqual(new Set(names));
        expect(changes.length).toBe(names.length);
        expect((await walk("bob", "order=changed"))[0]).not.toHaveProperty("last_modified");
        expect(await namesBy("bob", "find=R01")).toEqual(names.filter((name) => name.startsWith("r01")));
        expect(await namesBy("bob", "find=r0&order=-name")).toEqual(names.slice(2, 102).toReversed());
        expect(await namesBy("bob", "find=%25")).toEqual([]);
        for (const [who, query, total] of [
          ["bob", "", names.length],
          ["bob", "&find=r10", 1],
          ["bob", "&find=_", 0],
          ["ada", "", 2],
          ["ada", "&public=true&order=size", names.length - 1],
        ] as const) {
          const { body } = await callers[who]("GET", `/repository?namespace=acme&total=true${query}`);
          expect([who, query, body.total]).toEqual([who, query, total]);
        }
        for (const query of ["order=name", "find=r", "total=true"]) {
          expect((await callers.bob("GET", `/repository?${query}`)).status).toBe(400);
        }
      },
    );

    it.skipIf(engine.skip !== undefined)("shows the requested details of each repository", async () => {
      await using registry = await openTestRegistry({ engine });
      const ada = await registry.user("ada");
      const app = await putRepository(registry, { namespace: ada, name: "app" });
      await putRepository(registry, { namespace: ada, name: "empty" });
      const manifest = await putManifest(registry, app, { content: {} });
      const { now } = registry.time;
      await putTag(registry, app, { name: "old", manifest, startAt: now - 5500 });
      await putTag(registry, app, { name: "dead", manifest, startAt: now - 2000, endAt: now - 1000 });
      const counts = ["2026-11-13", "2026-11-14", "2026-11-20"].map((day) => ({
        repository_id: app.id,
        day,
        count: 4,
      }));
      await registry.store.db.insertInto("daily_action_count").values(counts).execute();
      await registry.store.db
        .updateTable("image_repository")
        .set({ size_bytes: 100 })
        .where("id", "=", app.id)
        .execute();
      await registry.store.db.insertInto("quota").values({ namespace_id: ada.id, limit_bytes: 1000 }).execute();
      const call = await registry.session(ada);
      await call("POST", "/user/starred", { namespace: "ada", repository: "app" });

      const { body } = await call("GET", "/repository?namespace=ada&popularity=true&last_modified=true");

      const common = { namespace: "ada", description: "", is_public: false, kind: "image", state: "NORMAL" };
      const byName = body.repositories.toSorted((one: { name: string }, other: { name: string }) =>
        one.name < other.name ? -1 : 1,
      );
      expect(byName).toEqual([
        {
          ...common,
          name: "app",
          last_modified: Math.floor((now - 5500) / 1000),
          popularity: 8,
          is_starred: true,
          quota_report: { quota_bytes: 100, configured_quota: 1000 },
        },
        {
          ...common,
          name: "empty",
          last_modified: null,
          popularity: 0,
          is_starred: false,
          quota_report: { quota_bytes: 0, configured_quota: 1000 },
        },
      ]);
    });

    it.skipIf(engine.skip !== undefined).each([
      { title: "the registry's quota where a namespace has none", settings: { defaultQuotaBytes: 7 }, configured: 7 },
      { title: "no quota where there is none", settings: {}, configured: null },
    ])("reports $title", async ({ settings, configured }) => {
      await using registry = await openTestRegistry({ engine, settings });
      const ada = await registry.user("ada");
      await putRepository(registry, { namespace: ada, name: "app" });

      const { body } = await (await registry.session(ada))("GET", "/repository?namespace=ada");

      expect(body.repositories).toMatchObject([{ quota_report: { quota_bytes: 0, configured_quota: configured } }]);
    });

    it.skipIf(engine.skip !== undefined)("says nothing of quotas where there are none", async () => {
      await using registry = await openTestRegistry({ engine, features: { quotas: false } });
      const ada = await registry.user("ada");
      await putRepository(registry, { namespace: ada, name: "app" });

      const { body } = await (await registry.session(ada))("GET", "/repository?namespace=ada");

      expect(body.repositories[0]).not.toHaveProperty("quota_report");
    });

    it.skipIf(engine.skip !== undefined)(
      "gives pages of 100 that stay the same while repositories come and go",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const ada = await registry.user("ada");
        const repositories = [];
        for (let index = 0; index < 101; index++) {
          repositories.push(await putRepository(registry, { namespace: ada, name: `r${index}` }));
        }
        const call = await registry.session(ada);

        const first = await call("GET", "/repository?namespace=ada");
        const [seen] = first.body.repositories;
        await call("DELETE", `/repository/ada/${seen.name}`);
        const second = await call("GET", `/repository?namespace=ada&next_page=${first.body.next_page}`);

        expect(first.body.repositories).toHaveLength(100);
        expect(second.body.repositories).toHaveLength(1);
        expect(second.body).not.toHaveProperty("next_page");
        const names = [...first.body.repositories, ...second.body.repositories].map(({ name }) => name);
        expect(new Set(names)).toEqual(new Set(repositories.map(({ name }) => name)));
      },
    );
  },
);

describe("listRepos", () => {
  it.each([
    { query: "?starred=true", detail: "Only users have starred repositories" },
    { query: "?public=true&repo_kind=application", detail: "Unknown repository kind" },
  ])("refuses $query", async ({ query, detail }) => {
    await using registry = await openTestRegistry();

    expect(await registry.anonymous("GET", `/repository${query}`)).toMatchObject({ status: 400, body: { detail } });
  });

  it("lists what the caller sees without a filter", async () => {
    const { registry, ada } = await openMixed();
    await using _ = registry;
    const call = await registry.session(ada);
    const everything = await namesOf(call, "public=true");

    for (const query of ["", "public=false", "namespace="]) {
      const listed = await namesOf(call, query);

      expect(listed.length).toBeGreaterThan(0);
      expect(everything).toEqual(expect.arrayContaining([...listed]));
    }
    expect(await namesOf(registry.anonymous, "")).toEqual(await namesOf(registry.anonymous, "public=true"));
  });

  it("refuses a forged page token", async () => {
    const { registry } = await openMixed();
    await using _ = registry;

    const answer = await registry.anonymous("GET", "/repository?public=true&next_page=forged");

    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^next_page: expected/) } });
    expect(await namesOf(registry.anonymous, "public=true&next_page=")).toHaveLength(2);
  });

  it.each([
    "/repository?public=true",
    "/repository/bob/shown",
    "/find/repositories?query=shown",
    "/find/all?query=shown",
  ])("refuses anonymous requests for what is public where anonymous access is off: %s", async (path) => {
    const { registry, ada } = await openMixed({ features: { anonymousAccess: false } });
    await using _ = registry;
    const call = await registry.session(ada);

    expect([(await registry.anonymous("GET", path)).status, (await call("GET", path)).status]).toEqual([401, 200]);
  });

  it("leaves out deleted namespaces and repositories", async () => {
    const { registry, ada, bob } = await openMixed();
    await using _ = registry;
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", bob.id).execute();
    const call = await registry.session(ada);
    await call("DELETE", "/repository/umbrella/administered");

    expect(await namesOf(call, "public=true")).toEqual(["acme/granted", "acme/team", "ada/own"]);
    expect(await namesOf(call, "namespace=bob&public=true")).toEqual([]);
  });
});

describe("starOperations", () => {
  it("keep what a user wants to find again", async () => {
    const { registry, ada } = await openMixed();
    await using _ = registry;
    const call = await registry.session(ada);
    const star = { namespace: "bob", repository: "shown" };

    const starred = await call("POST", "/user/starred", star);
    const twice = await call("POST", "/user/starred", star);
    const list = await call("GET", "/user/starred");
    const listed = await call("GET", "/repository?starred=true");
    const removed = await call("DELETE", "/user/starred/bob/shown");

    expect(starred).toMatchObject({ status: 201, body: star });
    expect(twice.status).toBe(201);
    expect(list.body).toEqual({
      repositories: [{ namespace: "bob", name: "shown", description: "", is_public: true }],
    });
    expect(listed.body.repositories).toMatchObject([{ name: "shown", is_starred: true }]);
    expect(removed.status).toBe(204);
    expect((await call("GET", "/user/starred")).body).toEqual({ repositories: [] });
    expect((await call("DELETE", "/user/starred/bob/shown")).status).toBe(404);
  });

  it("do not tell whether a repository exists that the user does not see", async () => {
    const { registry, ada } = await openMixed();
    await using _ = registry;
    const call = await registry.session(ada);

    const hidden = await call("POST", "/user/starred", { namespace: "bob", repository: "private" });
    const missing = await call("POST", "/user/starred", { namespace: "bob", repository: "none" });

    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(hidden.body).toEqual(missing.body);
  });

  it("show no repository that the user does not see any more", async () => {
    const { registry, ada, bob } = await openMixed();
    await using _ = registry;
    const call = await registry.session(ada);
    await call("POST", "/user/starred", { namespace: "bob", repository: "shown" });
    const owner = await registry.session(bob);
    await owner("POST", "/repository/bob/shown/changevisibility", { visibility: "private" });

    expect((await call("GET", "/user/starred")).body).toEqual({ repositories: [] });
  });

  it("are for users only", async () => {
    const { registry } = await openMixed();
    await using _ = registry;

    expect((await registry.anonymous("GET", "/user/starred")).status).toBe(401);
  });
});
