import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

const tags = "/repository/ada/app/tag";
const hour = 3_600_000;

/** A repository with two images and a writer. */
async function openApp(options: Parameters<typeof openTestRegistry>[0] = {}) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  const writer = await registry.user("writer");
  const app = await putRepository(registry, {
    namespace: ada,
    name: "app",
    visibility: "public",
    roles: { write: writer },
  });
  const one = await putManifest(registry, app, { content: { layers: [{ size: 10 }] } });
  const two = await putManifest(registry, app, { content: { layers: [{ size: 20 }] } });
  return { registry, ada, app, one, two, call: await registry.session(writer) };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "listRepoTags on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("shows every lifetime, the latest first, then by name", async () => {
      const { registry, app, one, two } = await openApp({ engine });
      await using _ = registry;
      const { now } = registry.time;
      await putTag(registry, app, { name: "b", manifest: one, startAt: now - 9000, endAt: now - 5000 });
      await putTag(registry, app, { name: "b", manifest: two, startAt: now - 5000 });
      await putTag(registry, app, { name: "a", manifest: two, startAt: now - 5000, endAt: now + hour });
      await putTag(registry, app, { name: "c_1", manifest: one, startAt: now - 1000 });
      const namesOf = async (query: string) => {
        const { body } = await registry.anonymous("GET", `${tags}/${query}`);
        return body.tags.map(({ name, end_ts }: { name: string; end_ts?: number }) => (end_ts ? `${name} ends` : name));
      };

      const { body } = await registry.anonymous("GET", `${tags}/?onlyActiveTags=true`);

      expect(body).toEqual({
        tags: [
          {
            name: "c_1",
            reversion: false,
            immutable: false,
            start_ts: (now - 1000) / 1000,
            manifest_digest: one.digest,
            is_manifest_list: false,
            size: 10,
            last_modified: "Sat, 21 Nov 2026 11:59:59 -0000",
          },
          expect.objectContaining({
            name: "a",
            end_ts: (now + hour) / 1000,
            expiration: "Sat, 21 Nov 2026 13:00:00 -0000",
          }),
          expect.objectContaining({ name: "b", manifest_digest: two.digest, size: 20 }),
        ],
        page: 1,
        has_additional: false,
      });
      const totalOf = async (query: string) => (await registry.anonymous("GET", `${tags}/?${query}`)).body.total;
      expect(await Promise.all(["", "total=true&limit=1", "total=true&onlyActiveTags=true"].map(totalOf))).toEqual([
        undefined,
        4,
        3,
      ]);
      expect(
        await Promise.all(["specificTag=b", "filter_tag_name=like:c"].map((each) => totalOf(`total=true&${each}`))),
      ).toEqual([2, 1]);
      const rows = [
        { query: "", names: ["c_1", "a ends", "b", "b ends"] },
        { query: "?specificTag=b", names: ["b", "b ends"] },
        { query: "?specificTag=b&onlyActiveTags=true", names: ["b"] },
        { query: "?filter_tag_name=eq:a", names: ["a ends"] },
        { query: "?filter_tag_name=eq:a&specificTag=a", names: ["a ends"] },
        { query: "?filter_tag_name=eq:a&specificTag=b", names: [] },
        { query: "?filter_tag_name=like:a&specificTag=b", names: [] },
        { query: "?filter_tag_name=like:_", names: ["c_1"] },
        { query: "?filter_tag_name=like:C_", names: ["c_1"] },
        { query: "?filter_tag_name=like:%25", names: [] },
        { query: "?order=changed", names: ["b ends", "b", "a ends", "c_1"] },
        { query: "?order=-changed", names: ["c_1", "a ends", "b", "b ends"] },
        { query: "?order=name", names: ["a ends", "b", "b ends", "c_1"] },
        { query: "?order=-name&onlyActiveTags=true", names: ["c_1", "b", "a ends"] },
        { query: "?order=size&onlyActiveTags=true", names: ["c_1", "a ends", "b"] },
        { query: "?order=-size", names: ["a ends", "b", "b ends", "c_1"] },
        { query: "?order=-size&limit=2&page=2", names: ["b ends", "c_1"] },
        { query: "?order=name&filter_tag_name=like:c", names: ["c_1"] },
        { query: "?limit=1", names: ["c_1"] },
        { query: "?limit=0", names: ["c_1"] },
        { query: "?limit=2&page=2", names: ["b", "b ends"] },
        { query: "?limit=1000&page=0", names: ["c_1", "a ends", "b", "b ends"] },
        { query: "?page=5", names: [] },
      ];
      for (const { query, names } of rows) {
        expect({ query, names: await namesOf(query) }).toEqual({ query, names });
      }
      expect((await registry.anonymous("GET", `${tags}/?limit=3`)).body).toMatchObject({ has_additional: true });
    });

    it.skipIf(engine.skip !== undefined)("shows what has changed since the same page was asked for", async () => {
      const { registry, app, one, two } = await openApp({ engine });
      await using _ = registry;
      const names = async () => {
        const { body } = await registry.anonymous("GET", `${tags}/?limit=2`);
        const { tags: found, has_additional } = body as { tags: { name: string }[]; has_additional: boolean };
        return [found.map(({ name }) => name), has_additional];
      };
      await putTag(registry, app, { name: "a", manifest: one, startAt: 1_000 });

      expect([await names(), await names()]).toEqual(Array(2).fill([["a"], false]));
      await putTag(registry, app, { name: "b", manifest: two, startAt: 2_000 });
      expect([await names(), await names()]).toEqual(Array(2).fill([["b", "a"], false]));
      await putTag(registry, app, { name: "c", manifest: one, startAt: 3_000 });
      expect(await names()).toEqual([["c", "b"], true]);
    });

    it.skipIf(engine.skip !== undefined)(
      "shows how many vulnerabilities images have where that is asked for",
      async () => {
        const { registry, app, one, two } = await openApp({ engine });
        await using _ = registry;
        const { db } = registry.store;
        const three = await putManifest(registry, app, { content: { layers: [{ size: 30 }] } });
        const artifact = await putManifest(registry, app, { content: { layers: [{ size: 40 }] } });
        const index = await putManifest(registry, app, { content: { manifests: [] }, isIndex: true });
        const counts = {
          medium: 0,
          low: 0,
          negligible: 0,
          unknown: 0,
          exploited: 0,
          fixable: 0,
          is_partial: 0,
        } as const;
        const counted = { ...counts, data_state: "current", counted_at: registry.time.now, due_at: 0 } as const;
        const scan = { state: "scanned", reason: null, attempts: 1, index_state: "one", changed_at: 0 } as const;
        for (const { id } of [one, two, three])
          await db
            .insertInto("manifest_scan")
            .values({ manifest_id: id, ...scan })
            .execute();
        await db
          .insertInto("finding_count")
          .values({ manifest_id: one.id, critical: 0, high: 7, ...counted })
          .execute();
        await db
          .insertInto("finding_count")
          .values({ manifest_id: two.id, critical: 1, high: 2, ...counted })
          .execute();
        await db.insertInto("finding_count").values({ manifest_id: three.id, due_at: 0 }).execute();
        const childrenOf = (children: readonly { readonly id: string }[]) =>
          children.map(({ id }) => ({ manifest_id: index.id, child_id: id }));
        await db
          .insertInto("manifest_child")
          .values(childrenOf([one, two, artifact]))
          .execute();
        for (const [name, manifest] of Object.entries({ one, three, artifact, index }))
          await putTag(registry, app, { name, manifest });
        const shown = async (query: string) => {
          const { body } = await registry.anonymous("GET", `${tags}/${query}`);
          const found: readonly { readonly name: string; readonly severities?: object | null }[] = body.tags;
          return Object.fromEntries(found.map(({ name, severities }) => [name, severities]));
        };

        expect(await shown("?severities=true")).toEqual({
          one: {
            ...{ critical: 0, high: 7, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, known_exploited: 0 },
            ...{ partial: false, feeds: "current", counted: "Sat, 21 Nov 2026 12:00:00 -0000" },
          },
          three: null,
          artifact: null,
          index: expect.objectContaining({ critical: 1, high: 2, partial: false }),
        });
        await db
          .insertInto("manifest_child")
          .values(childrenOf([three]))
          .execute();
        expect(await shown("?severities=true&specificTag=index")).toMatchObject({
          index: { critical: 1, partial: true },
        });
        expect(await shown("")).toEqual({ one: undefined, three: undefined, artifact: undefined, index: undefined });
      },
    );

    it.skipIf(engine.skip !== undefined)("says which manifests of a list are here", async () => {
      const { registry, app, one } = await openApp({ engine });
      await using _ = registry;
      const missing = `sha256:${"0".repeat(64)}`;
      const mediaType = "application/vnd.oci.image.index.v1+json";
      const image = "application/vnd.oci.image.manifest.v1+json";
      const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: `sha256:${"1".repeat(64)}` };
      const children = [one.digest, missing].map((digest) => ({ mediaType: image, digest }));
      const [first, second] = ["arm64", "unknown"].map((architecture, at) => {
        return { ...children[at], platform: { os: architecture === "unknown" ? "unknown" : "linux", architecture } };
      });
      const content = { manifests: [first, second, layer] };
      const index = await putManifest(registry, app, { content, mediaType, isIndex: true });
      await registry.store.db
        .insertInto("manifest_child")
        .values({ manifest_id: index.id, child_id: one.id })
        .execute();
      await putTag(registry, app, { name: "latest", manifest: index });

      const { body } = await registry.anonymous("GET", `${tags}/`);

      expect(body.tags).toMatchObject([
        {
          is_manifest_list: true,
          size: null,
          is_sparse: true,
          child_manifest_count: 2,
          present_child_count: 1,
          platforms: ["linux/arm64"],
          child_manifests_presence: { [one.digest]: true, [missing]: false },
        },
      ]);
    });
  },
);

describe("listRepoTags", () => {
  it("tells who pushed a tag to those who may read the usage log, where they ask for it", async () => {
    const { registry, ada, app, one, two, call } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    await putTag(registry, app, { name: "a", manifest: one, startAt: now - 5000 });
    await putTag(registry, app, { name: "b", manifest: one, startAt: now - 5000 });
    await putTag(registry, app, { name: "c", manifest: two, startAt: now - 1000 });
    const place = { repository_id: app.id, namespace_id: ada.id, performer_id: ada.id };
    const entries = [
      { kind: "push_repo", at: now - 5000, performer_name: "ada", metadata: '{"tag":"a"}' },
      { kind: "push_repo", at: now - 5000, performer_name: null, metadata: '{"tag":"b","token":"ci"}' },
      { kind: "pull_repo", at: now - 1000, performer_name: "eve", metadata: '{"tag":"c"}' },
    ];
    await registry.store.db
      .insertInto("usage_log")
      .values(entries.map((entry) => ({ ...place, ip: null, ...entry })))
      .execute();
    const pushersOf = async (ask: typeof call, query: string) => {
      const found = (await ask("GET", `${tags}/${query}`)).body.tags as readonly { name: string; pushed_by?: string }[];
      return found.map(({ name, pushed_by: by }) => [name, by]);
    };
    const asAdmin = await registry.session(ada);

    expect(await pushersOf(asAdmin, "?pushers=true")).toEqual([
      ["c", undefined],
      ["a", "ada"],
      ["b", undefined],
    ]);
    const untold = ["c", "a", "b"].map((name) => [name, undefined]);
    expect(await pushersOf(asAdmin, "")).toEqual(untold);
    expect(await pushersOf(call, "?pushers=true")).toEqual(untold);
    expect(await pushersOf(registry.anonymous as typeof call, "?pushers=true")).toEqual(untold);
  });

  it("tells who began and who ended each lifetime to those who may read the usage log", async () => {
    const { registry, ada, one, two, call } = await openApp();
    await using _ = registry;
    const asAdmin = await registry.session(ada);
    await asAdmin("PUT", `${tags}/a`, { manifest_digest: one.digest });
    registry.time.now += 1000;
    await asAdmin("PUT", `${tags}/a`, { manifest_digest: two.digest });
    registry.time.now += 1000;
    await asAdmin("DELETE", `${tags}/a`);
    registry.time.now += 1000;
    const actorsOf = async (ask: typeof call, query: string) =>
      (await ask("GET", `${tags}/${query}`)).body.tags.map((each: Readonly<Record<string, unknown>>) => [
        each.started_by,
        each.ended_by,
      ]);

    const by = (kind: string) => ({ kind, name: "ada" });
    expect(await actorsOf(asAdmin, "?actors=true")).toEqual([
      [by("move_tag"), by("delete_tag")],
      [by("create_tag"), by("move_tag")],
    ]);
    const untold = [[], []].map(() => [undefined, undefined]);
    expect(await actorsOf(asAdmin, "")).toEqual(untold);
    expect(await actorsOf(call, "?actors=true")).toEqual(untold);
  });

  it.each([
    { query: "?filter_tag_name=latest", status: 400 },
    { query: "?filter_tag_name=other:a", status: 400 },
    { query: "?filter_tag_name=:a", status: 400 },
    { query: "?page=one", status: 400 },
    { query: "?limit=many", status: 400 },
    { query: "?page=10000001", status: 400 },
  ])("answers $status to $query", async ({ query, status }) => {
    const { registry } = await openApp();
    await using _ = registry;

    expect((await registry.anonymous("GET", `${tags}/${query}`)).status).toBe(status);
  });
});

describe("changeTag", () => {
  it("begins a tag, moves it, and keeps what it was", async () => {
    const { registry, one, two, call } = await openApp();
    await using _ = registry;

    const created = await call("PUT", `${tags}/v1`, { manifest_digest: one.digest });
    registry.time.now += 1000;
    await call("PUT", `${tags}/v1`, { manifest_digest: two.digest });
    registry.time.now += 1000;
    const { body } = await call("GET", `${tags}/`);

    expect(created).toMatchObject({ status: 201, body: "Updated" });
    expect(body.tags).toMatchObject([
      { name: "v1", manifest_digest: two.digest, reversion: false },
      { name: "v1", manifest_digest: one.digest, end_ts: (registry.time.now - 1000) / 1000 },
    ]);
    const place = { username: "writer", repo: "app", namespace: "ada", tag: "v1" };
    expect(await registry.usageLog()).toEqual([
      { kind: "create_tag", metadata: { ...place, manifest_digest: one.digest, original_manifest_digest: null } },
      { kind: "move_tag", metadata: { ...place, manifest_digest: two.digest, original_manifest_digest: one.digest } },
    ]);
  });

  it.each([
    { what: "5 hours", endMs: 5 * hour },
    { what: "a second", endMs: 1000 },
    { what: "200 weeks", endMs: 200 * 7 * 24 * hour },
    { what: "almost 8000 years", endMs: Date.UTC(10_000, 0) - 1000 - Date.UTC(2026, 10, 21, 12) },
  ])("lets a tag expire as asked, after $what", async ({ endMs }) => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    await putTag(registry, app, { name: "v1", manifest: one });

    const answer = await call("PUT", `${tags}/v1`, { expiration: (now + endMs) / 1000 });
    const { body } = await call("GET", `${tags}/`);

    expect(answer.status).toBe(201);
    expect(body.tags).toMatchObject([{ name: "v1", end_ts: (now + endMs) / 1000 }]);
    expect(await registry.usageLog()).toEqual([
      {
        kind: "change_tag_expiration",
        metadata: {
          username: "writer",
          repo: "app",
          namespace: "ada",
          tag: "v1",
          expiration_date: (now + endMs) / 1000,
          old_expiration_date: null,
        },
      },
    ]);
  });

  it("lets a tag stay after all, and says nothing where it stayed anyway", async () => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    const endAt = registry.time.now + hour;
    await putTag(registry, app, { name: "v1", manifest: one, endAt });

    await call("PUT", `${tags}/v1`, { expiration: null });
    await call("PUT", `${tags}/v1`, { expiration: null });

    expect((await call("GET", `${tags}/`)).body.tags[0]).not.toHaveProperty("end_ts");
    expect(await registry.usageLog()).toMatchObject([
      { metadata: { expiration_date: null, old_expiration_date: endAt } },
    ]);
  });

  it("begins a tag with a manifest and an expiration in one request", async () => {
    const { registry, one, call } = await openApp();
    await using _ = registry;
    const end = registry.time.now / 1000 + 7200;

    const answer = await call("PUT", `${tags}/new`, { manifest_digest: one.digest, expiration: end });

    expect(answer).toMatchObject({ status: 201, body: "Updated" });
    const { body } = await call("GET", `${tags}/`);
    expect(body.tags).toMatchObject([{ name: "new", manifest_digest: one.digest, end_ts: end }]);
    expect(await registry.usageLog()).toMatchObject([{ kind: "create_tag" }]);
  });

  it("leaves a tag as it is without a body", async () => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    await putTag(registry, app, { name: "v1", manifest: one });

    expect(await call("PUT", `${tags}/v1`)).toMatchObject({ status: 201, body: "Updated" });
    expect(await registry.usageLog()).toEqual([]);
  });

  it("gives the expiration to where the tag is moved", async () => {
    const { registry, app, one, two, call } = await openApp();
    await using _ = registry;
    const end = registry.time.now / 1000 + 7200;
    await putTag(registry, app, { name: "v1", manifest: one, startAt: registry.time.now - 1000 });

    await call("PUT", `${tags}/v1`, { expiration: end, manifest_digest: two.digest });

    const { body } = await call("GET", `${tags}/?onlyActiveTags=true`);
    expect(body.tags).toMatchObject([{ manifest_digest: two.digest, end_ts: end }]);
  });

  it.each([
    { what: "an expiration of now", body: { expiration: Date.UTC(2026, 10, 21, 12) / 1000 }, status: 400 },
    { what: "an expiration that is text", body: { expiration: "tomorrow" }, status: 400 },
    { what: "an expiration of the year 10000", body: { expiration: Date.UTC(10_000, 0) / 1000 }, status: 400 },
    { what: "an expiration beyond all dates", body: { expiration: 1e300 }, status: 400 },
    { what: "an unknown digest", body: { manifest_digest: `sha256:${"0".repeat(64)}` }, status: 404 },
    { what: "what is no digest", body: { manifest_digest: "latest" }, status: 404 },
    { what: "a number for a digest", body: { manifest_digest: 1 }, status: 400 },
    { what: "an unknown tag's expiration", tag: "v2", body: { expiration: 4e9 }, status: 404 },
    { what: "a tag that is none", tag: "-v2", body: { manifest_digest: null }, status: 400 },
    { what: "no body for an unknown tag", tag: "v2", body: undefined, status: 404 },
  ])("refuses $what with $status", async ({ tag = "v1", body, status }) => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    await putTag(registry, app, { name: "v1", manifest: one });

    expect((await call("PUT", `${tags}/${tag}`, body)).status).toBe(status);
    expect(await registry.usageLog()).toEqual([]);
  });
});

describe("deleteFullTag", () => {
  it("ends a tag, and with the last tag of an image its signature", async () => {
    const { registry, app, one, two, call } = await openApp();
    await using _ = registry;
    await putTag(registry, app, { name: "v1", manifest: one });
    await putTag(registry, app, { name: "latest", manifest: one });
    await putTag(registry, app, { name: `${one.digest.replace(":", "-")}.sig`, manifest: two });
    const namesOf = async () =>
      (await call("GET", `${tags}/?onlyActiveTags=true`)).body.tags.map(({ name }: { name: string }) => name).length;

    const first = await call("DELETE", `${tags}/v1`);
    const left = await namesOf();
    const second = await call("DELETE", `${tags}/latest`);
    const again = await call("DELETE", `${tags}/latest`);

    expect([first.status, second.status, again.status]).toEqual([204, 204, 404]);
    expect([left, await namesOf()]).toEqual([2, 0]);
    expect((await registry.usageLog())[0]).toEqual({
      kind: "delete_tag",
      metadata: { username: "writer", repo: "app", namespace: "ada", tag: "v1" },
    });
  });
});

describe("restoreTag", () => {
  it("puts a deleted tag back", async () => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    await putTag(registry, app, { name: "v1", manifest: one, startAt: registry.time.now - 1000 });
    await call("DELETE", `${tags}/v1`);

    const restored = await call("POST", `${tags}/v1/restore`, { manifest_digest: one.digest });

    expect(restored).toMatchObject({ status: 201, body: {} });
    const { body } = await call("GET", `${tags}/?onlyActiveTags=true`);
    expect(body.tags).toMatchObject([{ name: "v1", manifest_digest: one.digest, reversion: true }]);
    expect((await registry.usageLog())[1]).toEqual({
      kind: "revert_tag",
      metadata: { username: "writer", repo: "app", tag: "v1", manifest_digest: one.digest },
    });
  });

  it("brings a manifest back that was deleted by its digest, to which no tag can be moved", async () => {
    const { registry, app, one, call } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    await putTag(registry, app, { name: "v1", manifest: one, startAt: now - 2000, endAt: now - 1000 });
    await registry.store.db
      .updateTable("image_manifest")
      .set({ deleted_at: now - 1000 })
      .where("id", "=", one.id)
      .execute();
    const body = { manifest_digest: one.digest };

    const moved = await call("PUT", `${tags}/v2`, body);
    const restored = await call("POST", `${tags}/v1/restore`, body);

    expect([moved.status, restored.status]).toEqual([404, 201]);
    expect((await call("GET", `/repository/ada/app/manifest/${one.digest}`)).status).toBe(200);
  });

  it.each([
    { body: {}, status: 400 },
    { body: { manifest_digest: null }, status: 400 },
    { body: { manifest_digest: `sha256:${"0".repeat(64)}` }, status: 404 },
  ])("answers $status to $body", async ({ body, status }) => {
    const { registry, call } = await openApp();
    await using _ = registry;

    expect((await call("POST", `${tags}/v1/restore`, body)).status).toBe(status);
  });
});

describe("tagOperations", () => {
  it.each([
    { who: "anonymous", read: 200, write: 401 },
    { who: "stranger", read: 200, write: 403 },
    { who: "auditor", read: 200, write: 403 },
    { who: "ada", read: 200, write: 201 },
  ])("answer $who with $read for reading and $write for writing", async ({ who, read, write }) => {
    const { registry, ada, one } = await openApp();
    await using _ = registry;
    const account = who === "ada" ? ada : undefined;
    const call =
      who === "anonymous" ? registry.anonymous : await registry.session(account ?? (await registry.user(who)));
    const body = { manifest_digest: one.digest };

    expect((await call("GET", `${tags}/`)).status).toBe(read);
    expect((await call("PUT", `${tags}/v1`, body)).status).toBe(write);
    expect((await call("POST", `${tags}/v1/restore`, body)).status).toBe(write);
    expect((await call("DELETE", `${tags}/v1`)).status).toBe(write === 201 ? 204 : write);
  });

  it.each(["READ_ONLY", "MIRROR"])("change nothing while the repository is %s", async (state) => {
    const { registry, app, ada, one } = await openApp();
    await using _ = registry;
    const call = await registry.session(ada);
    await putTag(registry, app, { name: "v1", manifest: one });
    await call("PUT", "/repository/ada/app/changestate", { state });
    const body = { manifest_digest: one.digest };

    for (const [method, path, given] of [
      ["PUT", `${tags}/v1`, {}],
      ["DELETE", `${tags}/v1`, undefined],
      ["POST", `${tags}/v1/restore`, body],
    ] as const) {
      expect(await call(method, path, given)).toMatchObject({ status: 503, body: { title: "read_only" } });
    }
    expect((await call("GET", `${tags}/`)).status).toBe(200);
  });
});
