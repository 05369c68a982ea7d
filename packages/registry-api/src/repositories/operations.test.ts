import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

const wanted = { repository: "app", visibility: "private", description: "**An app**" };

/** An organization with a repository, and one person of each kind. */
async function openAcme(options: Parameters<typeof openTestRegistry>[0] = {}) {
  const registry = await openTestRegistry(options);
  const [boss, maker, member, writer, reader] = await Promise.all(
    ["boss", "maker", "member", "writer", "reader"].map((name) => registry.user(name)),
  );
  if (!boss || !maker || !member || !writer || !reader) throw new Error("there are five people");
  const acme = await registry.organization("acme", { admin: [boss], creator: [maker], member: [member] });
  const app = await putRepository(registry, {
    namespace: acme,
    name: "app",
    creator: boss,
    roles: { write: writer, read: reader },
  });
  return { registry, acme, app, boss, maker, member, writer, reader };
}

async function callerOf(registry: TestRegistry, name: string) {
  if (name === "anonymous") return registry.anonymous;
  const account = await registry.store.db
    .selectFrom("account")
    .selectAll()
    .where("username", "=", name)
    .executeTakeFirst();
  return registry.session(account ?? (await registry.user(name)));
}

describe("createRepo", () => {
  it("makes a repository in the caller's own namespace, whose admin the caller is", async () => {
    await using registry = await openTestRegistry();
    const ada = await registry.session(await registry.user("ada"));

    const created = await ada("POST", "/repository", wanted);

    expect(created).toMatchObject({ status: 201, body: { namespace: "ada", name: "app", kind: "image" } });
    expect(await registry.usageLog()).toEqual([{ kind: "create_repo", metadata: { repo: "app", namespace: "ada" } }]);
    const { body } = await ada("GET", "/repository/ada/app?includeStats=true");
    const { stats, status_token, ...shown } = body;
    expect(shown).toEqual({
      namespace: "ada",
      name: "app",
      kind: "image",
      description: "**An app**",
      is_public: false,
      is_organization: false,
      is_starred: false,
      trust_enabled: false,
      tag_expiration_s: 1_209_600,
      is_free_account: true,
      state: "NORMAL",
      can_write: true,
      can_admin: true,
      tags: {},
    });
    expect(status_token).toHaveLength(32);
    expect(stats).toHaveLength(92);
    expect(stats.at(-1)).toEqual({ date: "2026-11-21", count: 0 });
  });

  it.each([
    { who: "maker", namespace: "acme", status: 201 },
    { who: "boss", namespace: "acme", status: 201 },
    { who: "member", namespace: "acme", status: 403 },
    { who: "reader", namespace: "acme", status: 403 },
    { who: "reader", namespace: "nobody", status: 403 },
    { who: "reader", namespace: "boss", status: 403 },
    { who: "anonymous", namespace: "acme", status: 401 },
    { who: "root", namespace: "acme", status: 403 },
  ])("answers $status to $who in the namespace $namespace", async ({ who, namespace, status }) => {
    const { registry } = await openAcme();
    await using _ = registry;
    const call = await callerOf(registry, who);

    const answer = await call("POST", "/repository", { ...wanted, repository: "new", namespace });

    expect(answer.status).toBe(status);
  });

  it.each([
    { what: "a name that is taken", body: { ...wanted, namespace: "acme" }, detail: "Repository already exists" },
    { what: "an upper-case name", body: { ...wanted, repository: "App" }, detail: "Invalid repository name" },
    { what: "a path upwards", body: { ...wanted, repository: "a/../b" }, detail: "Invalid repository name" },
    { what: "an empty name", body: { ...wanted, repository: "" }, detail: "Invalid repository name" },
    { what: "a name that is too long", body: { ...wanted, repository: "a".repeat(256) }, detail: "Invalid repository" },
    { what: "another visibility", body: { ...wanted, visibility: "hidden" }, detail: "visibility" },
    { what: "another kind", body: { ...wanted, repo_kind: "application" }, detail: "repo_kind" },
    { what: "no description", body: { repository: "x", visibility: "public" }, detail: "description" },
    { what: "a name that is no text", body: { ...wanted, repository: 1 }, detail: "repository" },
  ])("refuses $what", async ({ body, detail }) => {
    const { registry, boss } = await openAcme();
    await using _ = registry;
    const call = await registry.session(boss);

    const answer = await call("POST", "/repository", body);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toContain(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("takes a token only with the scope for it", async () => {
    await using registry = await openTestRegistry();
    const ada = await registry.user("ada");
    const without = await registry.token(ada, "repo:admin");
    const having = await registry.token(ada, "repo:create");

    expect(await without("POST", "/repository", wanted)).toMatchObject({ status: 403 });
    expect(await having("POST", "/repository", wanted)).toMatchObject({ status: 201 });
  });
});

describe("getRepo", () => {
  it("shows the newest living tags", async () => {
    const { registry, app, reader } = await openAcme();
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: { layers: [{ size: 3 }, { size: 4 }] } });
    const { now } = registry.time;
    await putTag(registry, app, { name: "1", manifest, startAt: now - 10_000, endAt: now - 5000 });
    await putTag(registry, app, { name: "2", manifest, startAt: now - 5000, endAt: now + 60_000 });
    await putTag(registry, app, { name: "latest", manifest });
    const call = await registry.session(reader);

    const { body } = await call("GET", "/repository/acme/app");

    expect(body).toMatchObject({ can_write: false, can_admin: false, is_organization: true });
    expect(body.tags).toEqual({
      "2": {
        name: "2",
        size: 7,
        last_modified: "Sat, 21 Nov 2026 11:59:55 -0000",
        expiration: "Sat, 21 Nov 2026 12:01:00 -0000",
        manifest_digest: manifest.digest,
      },
      latest: {
        name: "latest",
        size: 7,
        last_modified: "Sat, 21 Nov 2026 12:00:00 -0000",
        manifest_digest: manifest.digest,
      },
    });
    expect((await call("GET", "/repository/acme/app?includeTags=false")).body).not.toHaveProperty("tags");
  });

  it.each([
    { tags: [], pull: null },
    {
      tags: [
        ["1.0", 0],
        ["1.1", 1],
      ],
      pull: "1.1",
    },
    {
      tags: [
        ["latest", 0],
        ["1.1", 1],
      ],
      pull: "latest",
    },
    {
      tags: [
        ["1.0", 0],
        ["latest", 1, 2],
      ],
      pull: "1.0",
    },
    {
      tags: [
        ["1.0", 0],
        [`sha256-${"0".repeat(64)}.sig`, 1],
      ],
      pull: "1.0",
    },
  ] as const)("names $pull as the tag to pull among $tags", async ({ tags, pull }) => {
    const { registry, app, reader } = await openAcme();
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: { layers: [] } });
    const beganAt = registry.time.now - 1000;
    for (const [name, start, end] of tags as readonly (readonly [string, number, number?])[])
      await putTag(registry, app, { name, manifest, startAt: beganAt + start, endAt: end ? beganAt + end : undefined });
    const call = await registry.session(reader);

    const { body } = await call("GET", "/repository/acme/app?includeTags=false&pullTag=true");

    expect(body.pull_tag).toBe(pull);
    expect((await call("GET", "/repository/acme/app")).body).not.toHaveProperty("pull_tag");
  });

  it("counts what happened day by day", async () => {
    const { registry, app, reader } = await openAcme();
    await using _ = registry;
    const count = { repository_id: app.id, day: "2026-11-20", count: 5 };
    await registry.store.db.insertInto("daily_action_count").values(count).execute();
    const call = await registry.session(reader);

    const { body } = await call("GET", "/repository/acme/app?includeStats=true");

    expect(body.stats.slice(-3)).toEqual([
      { date: "2026-11-19", count: 0 },
      { date: "2026-11-20", count: 5 },
      { date: "2026-11-21", count: 0 },
    ]);
  });
});

describe("repositoryOperations", () => {
  const describeIt = { method: "PUT", path: "/repository/acme/app", body: { description: "New" } };
  const remove = { method: "DELETE", path: "/repository/acme/app", body: undefined };
  const show = { method: "POST", path: "/repository/acme/app/changevisibility", body: { visibility: "public" } };
  const freeze = { method: "PUT", path: "/repository/acme/app/changestate", body: { state: "READ_ONLY" } };
  const read = { method: "GET", path: "/repository/acme/app", body: undefined };
  const missing = { method: "GET", path: "/repository/acme/none", body: undefined };

  it.each([
    { ...read, name: "getRepo", allowed: { reader: 200, writer: 200, boss: 200, auditor: 200 } },
    { ...missing, name: "getRepo of what is missing", allowed: { boss: 404, auditor: 404 } },
    { ...describeIt, name: "updateRepo", allowed: { writer: 200, boss: 200 } },
    { ...remove, name: "deleteRepository", allowed: { boss: 204 } },
    { ...show, name: "changeRepoVisibility", allowed: { boss: 201 } },
    { ...freeze, name: "changeRepoState", allowed: { boss: 200 } },
  ])("let only some do $name", async ({ method, path, body, allowed }) => {
    for (const who of ["anonymous", "stranger", "member", "reader", "writer", "boss", "auditor", "root"]) {
      const { registry } = await openAcme();
      await using _ = registry;
      const call = await callerOf(registry, who);

      const { status } = await call(method, path, body);

      const refused = who === "anonymous" ? 401 : 403;
      expect({ who, status }).toEqual({ who, status: (allowed as Record<string, number>)[who] ?? refused });
    }
  });

  it("change a repository, and say so in the usage log", async () => {
    const { registry, boss } = await openAcme();
    await using _ = registry;
    const call = await registry.session(boss);

    for (const { method, path, body } of [describeIt, show, freeze]) {
      expect((await call(method, path, body)).body).toEqual({ success: true });
    }

    expect((await registry.anonymous("GET", "/repository/acme/app")).body).toMatchObject({
      description: "New",
      is_public: true,
      status_token: "",
      state: "READ_ONLY",
    });
    expect((await call("GET", "/repository/acme/app")).body).toMatchObject({ can_write: false, can_admin: true });
    const place = { repo: "app", namespace: "acme" };
    expect(await registry.usageLog()).toEqual([
      { kind: "set_repo_description", metadata: { ...place, description: "New" } },
      { kind: "change_repo_visibility", metadata: { ...place, visibility: "public" } },
      { kind: "change_repo_state", metadata: { ...place, state_changed: "READ_ONLY" } },
    ]);
  });

  it("delete a repository, whose name is free at once, and leave its content to a job", async () => {
    const { registry, app, boss } = await openAcme();
    await using _ = registry;
    const call = await registry.session(boss);
    await call("POST", "/user/starred", { namespace: "acme", repository: "app" });
    await call("POST", "/repository/acme/app/build/", { archive_url: "https://example.com/app.tar.gz" });

    const deleted = await call("DELETE", "/repository/acme/app");
    const gone = await call("GET", "/repository/acme/app");
    const again = await call("POST", "/repository", { ...wanted, namespace: "acme" });

    expect([deleted.status, gone.status, again.status]).toEqual([204, 404, 201]);
    expect(await listJobs(registry.store.db, {})).toMatchObject([
      { kind: "registry.collect-repository", payload: { repositoryId: app.id }, tenant: app.namespace_id },
    ]);
    const log = await registry.usageLog();
    expect(log[1]).toEqual({ kind: "delete_repo", metadata: { repo: "app", namespace: "acme" } });
  });

  it.each([
    { path: "/repository/acme/app", method: "PUT", body: {} },
    { path: "/repository/acme/app", method: "PUT", body: { description: "x".repeat(25_001) } },
    { path: "/repository/acme/app/changevisibility", method: "POST", body: { visibility: "PUBLIC" } },
    { path: "/repository/acme/app/changestate", method: "PUT", body: { state: "deleted" } },
    { path: "/repository/acme/app/changestate", method: "PUT", body: { state: "ORG_MIRROR" } },
  ])("refuse a change that makes no sense: $method $path", async ({ path, method, body }) => {
    const { registry, boss } = await openAcme();
    await using _ = registry;
    const call = await registry.session(boss);

    expect(await call(method, path, body)).toMatchObject({ status: 400, body: { title: "invalid_request" } });
  });

  it("let a superuser with full access do everything", async () => {
    const { registry } = await openAcme({ features: { superuserFullAccess: true } });
    await using _ = registry;
    const call = await callerOf(registry, "root");

    const shown = await call("GET", "/repository/acme/app");
    const created = await call("POST", "/repository", { ...wanted, repository: "other", namespace: "acme" });

    expect(shown.body).toMatchObject({ can_write: true, can_admin: true });
    expect(created.status).toBe(201);
  });
});
