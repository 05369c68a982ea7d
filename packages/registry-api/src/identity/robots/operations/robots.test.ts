import type { Scope } from "@plimsoll/registry/access/scopes";
import { hashSecret } from "@plimsoll/registry/crypto/secrets";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../../../fixtures/test-content.ts";
import { openTestRegistry, type TestRegistryOptions } from "../../../fixtures/test-registry.ts";

const created = "Sat, 21 Nov 2026 12:00:00 -0000";

async function openAcme(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry({
    ...options,
    features: { superuserFullAccess: true, ...options.features },
  });
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob] });
  return { registry, ann, bob, organization, owner: await registry.session(ann) };
}

describe.each([
  { family: "userRobotOperations", path: "/user/robots", namespace: "ann" },
  { family: "organizationRobotOperations", path: "/organization/acme/robots", namespace: "acme" },
])("$family", ({ path, namespace }) => {
  it("make a robot that is shown with its token", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const made = await owner("PUT", `${path}/ci`, { description: "builds", unstructured_metadata: { cost: [1] } });
    const shown = await owner("GET", `${path}/ci`);
    const listed = await owner("GET", path);

    const { token } = made.body;
    const robot = { name: `${namespace}+ci`, created, last_accessed: null, description: "builds", token };
    expect(token).toMatch(/^[A-Z0-9]{64}$/);
    expect(made).toMatchObject({ status: 200, body: { ...robot, unstructured_metadata: { cost: [1] } } });
    expect(shown.body).toEqual(made.body);
    expect(listed.body).toEqual({ robots: [robot] });
    const stored = await registry.store.db.selectFrom("robot").selectAll().executeTakeFirstOrThrow();
    expect(stored.token_hash).toBe(hashSecret(token));
    expect(JSON.stringify(stored)).not.toContain(token);
    const metadata = { robot: "ci", description: "builds", unstructured_metadata: { cost: [1] } };
    expect(await registry.usageLog()).toEqual([{ kind: "create_robot", metadata }]);
  });

  it("make a robot of a name alone, once", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const made = await owner("PUT", `${path}/ci`);
    const again = await owner("PUT", `${path}/ci`, { description: "other" });

    expect(made.body).toMatchObject({ description: "", unstructured_metadata: {} });
    expect(again).toMatchObject({ status: 400, body: { detail: `Existing robot with name: ${namespace}+ci` } });
    expect((await owner("GET", `${path}/ci`)).body).toEqual(made.body);
  });

  it.each([
    { name: "a", body: {}, detail: /^The name for the robot 'a' is invalid/ },
    { name: "Ci", body: {}, detail: /^The name for the robot 'Ci' is invalid/ },
    { name: "c--i", body: {}, detail: /is invalid/ },
    { name: "c%2Bi", body: {}, detail: /^The name for the robot 'c\+i' is invalid/ },
    { name: "x".repeat(256), body: {}, detail: /is invalid/ },
    { name: "ci", body: { description: "x".repeat(256) }, detail: /^body\/description/ },
    { name: "ci", body: { unstructured_metadata: [] }, detail: /^body\/unstructured_metadata/ },
    { name: "ci", body: { unstructured_metadata: "x" }, detail: /^body\/unstructured_metadata/ },
  ])("refuse to make $name of $body", async ({ name, body, detail }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const answer = await owner("PUT", `${path}/${name}`, body);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toMatch(detail);
    expect((await owner("GET", path)).body).toEqual({ robots: [] });
  });

  it("make none but allowed ones where robots are switched off, and still show and delete them", async () => {
    const settings = { allowedRobots: [`${namespace}+ci`] };
    const { registry, owner } = await openAcme({ settings, features: { robots: false } });
    await using _ = registry;

    const refused = await owner("PUT", `${path}/cd`);
    const made = await owner("PUT", `${path}/ci`);
    const listed = await owner("GET", path);
    const deleted = await owner("DELETE", `${path}/ci`);

    const detail = expect.stringContaining("switched off");
    expect(refused).toMatchObject({ status: 400, body: { title: "invalid_request", detail } });
    expect([made.status, deleted.status]).toEqual([200, 204]);
    expect(listed.body).toMatchObject({ robots: [{ name: `${namespace}+ci` }] });
  });

  it("give a robot a new token, and end what the old one began", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    const { token } = (await owner("PUT", `${path}/ci`)).body;

    const renewed = await owner("POST", `${path}/ci/regenerate`);

    expect(renewed.status).toBe(201);
    expect(renewed.body).toEqual({
      name: `${namespace}+ci`,
      created,
      last_accessed: null,
      description: "",
      token: expect.stringMatching(/^[A-Z0-9]{64}$/),
    });
    expect(renewed.body.token).not.toBe(token);
    expect((await owner("GET", `${path}/ci`)).body.token).toBe(renewed.body.token);
    const account = registry.store.db.selectFrom("account").selectAll().where("username", "=", `${namespace}+ci`);
    expect(await account.executeTakeFirst()).toMatchObject({ credential_version: 2 });
    expect((await registry.usageLog()).at(-1)).toEqual({ kind: "regenerate_robot_token", metadata: { robot: "ci" } });
  });

  it("delete a robot with what it was granted", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/ci`);

    const deleted = await owner("DELETE", `${path}/ci`);

    expect(deleted.status).toBe(204);
    expect((await owner("GET", path)).body).toEqual({ robots: [] });
    expect((await registry.usageLog()).at(-1)).toEqual({ kind: "delete_robot", metadata: { robot: "ci" } });
  });

  it.each([
    { method: "GET", rest: "" },
    { method: "DELETE", rest: "" },
    { method: "GET", rest: "/permissions" },
    { method: "POST", rest: "/regenerate" },
  ])("answer $method of an unknown robot$rest with 400", async ({ method, rest }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const answer = await owner(method, `${path}/nothing${rest}`);

    expect(answer).toMatchObject({ status: 400, body: { detail: "Could not find robot with specified username" } });
  });

  it("list at most so many, the one that was used last first, without tokens where none are asked for", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    for (const name of ["one", "two", "three"]) await owner("PUT", `${path}/${name}`);
    const used = registry.store.db.updateTable("account").set({ last_accessed_at: registry.time.now });
    await used.where("username", "=", `${namespace}+two`).execute();

    const { body } = await owner("GET", `${path}?limit=2&token=false`);

    const rest = { created, description: "" };
    expect(body).toEqual({
      robots: [
        { ...rest, name: `${namespace}+two`, last_accessed: created },
        { ...rest, name: `${namespace}+one`, last_accessed: null },
      ],
    });
  });

  it("show the teams and repositories of a robot", async () => {
    const { registry, owner, organization, ann } = await openAcme();
    await using _ = registry;
    const { db } = registry.store;
    await owner("PUT", `${path}/ci`);
    const { id } = await db.selectFrom("account").select("id").where("kind", "=", "robot").executeTakeFirstOrThrow();
    const repositoryId = await addTestRepository(db, namespace === "ann" ? ann.id : organization.id, "app");
    await db
      .insertInto("account_permission")
      .values({ repository_id: repositoryId, account_id: id, role: "write" })
      .execute();
    const team = `${organization.id}-member`;
    await db.insertInto("team_member").values({ team_id: team, account_id: id }).execute();

    const listed = await owner("GET", `${path}?permissions=true`);
    const permissions = await owner("GET", `${path}/ci/permissions`);

    const members = { name: "members", avatar: avatarOf("team", "members", team) };
    const teams = namespace === "ann" ? [] : [members];
    expect(listed.body.robots).toMatchObject([{ name: `${namespace}+ci`, teams, repositories: ["app"] }]);
    expect(permissions).toMatchObject({
      status: 200,
      body: { permissions: [{ repository: { name: "app", is_public: false }, role: "write" }] },
    });
  });

  it("refuse to delete a robot that a mirror works as, until its repository is deleted", async () => {
    const { registry, owner, organization } = await openAcme();
    await using _ = registry;
    const { db } = registry.store;
    await owner("PUT", `${path}/ci`);
    const { id } = await db.selectFrom("account").select("id").where("kind", "=", "robot").executeTakeFirstOrThrow();
    const repository_id = await addTestRepository(db, organization.id, "app");
    await db
      .insertInto("repository_mirror")
      .values({
        repository_id,
        is_enabled: 1,
        external_reference: "registry.example/app",
        external_username: null,
        external_password_sealed: null,
        external_config: "{}",
        sync_start_at: null,
        sync_interval_s: 60,
        sync_timeout_s: 60,
        sync_expires_at: null,
        sync_waits_until: null,
        sync_state: "NEVER_RUN",
        sync_retries: 3,
        sync_transaction_id: "",
        robot_id: id,
        tag_patterns: "[]",
      })
      .execute();

    const refused = await owner("DELETE", `${path}/ci`);
    await db.updateTable("image_repository").set({ state: "deleted" }).execute();
    const deleted = await owner("DELETE", `${path}/ci`);

    expect(refused).toMatchObject({ status: 400, body: { detail: "Robot is being used by a mirror" } });
    expect(deleted.status).toBe(204);
  });
});

describe("userRobotOperations", () => {
  it.each([
    { who: "anonymous", scope: undefined, status: 401 },
    { who: "a token without the scope", scope: "org:admin", status: 403 },
    { who: "a token with the scope", scope: "user:admin", status: 200 },
  ] as const)("answer $who with $status", async ({ scope, status }) => {
    const { registry, ann } = await openAcme();
    await using _ = registry;
    const call = scope === undefined ? registry.anonymous : await registry.token(ann, scope);

    expect((await call("GET", "/user/robots")).status).toBe(status);
    expect((await call("PUT", "/user/robots/ci")).status).toBe(status);
  });
});

describe("organizationRobotOperations", () => {
  interface Row {
    readonly who: string;
    readonly scopes?: readonly Scope[];
    readonly list: number;
    readonly get: number;
    readonly change: number;
    readonly permissions: number;
    readonly sees: string;
  }
  const rows: readonly Row[] = [
    { who: "anonymous", list: 401, get: 401, change: 401, permissions: 401, sees: "" },
    { who: "eve", list: 403, get: 403, change: 403, permissions: 403, sees: "" },
    { who: "bob", list: 200, get: 403, change: 403, permissions: 403, sees: "names" },
    { who: "ann", list: 200, get: 200, change: 201, permissions: 200, sees: "tokens roles" },
    { who: "ann", scopes: ["org:admin"], list: 200, get: 200, change: 201, permissions: 403, sees: "tokens roles" },
    { who: "ann", scopes: ["user:admin"], list: 403, get: 403, change: 403, permissions: 200, sees: "" },
    { who: "ann", scopes: ["repo:admin"], list: 403, get: 403, change: 403, permissions: 403, sees: "" },
    { who: "bob", scopes: ["user:admin"], list: 403, get: 403, change: 403, permissions: 403, sees: "" },
    { who: "root", list: 200, get: 200, change: 201, permissions: 200, sees: "tokens roles" },
    { who: "auditor", list: 200, get: 200, change: 403, permissions: 200, sees: "roles" },
  ];
  it.each(rows)("let $who see '$sees' (scopes $scopes)", async ({ who, scopes, ...expected }) => {
    const { registry, ann, bob, owner } = await openAcme();
    await using _ = registry;
    await owner("PUT", "/organization/acme/robots/ci");
    const account = { ann, bob }[who] ?? (await registry.user(who));
    const signedIn = scopes ? await registry.token(account, ...scopes) : await registry.session(account);
    const call = who === "anonymous" ? registry.anonymous : signedIn;
    const path = "/organization/acme/robots";

    const list = await call("GET", `${path}?permissions=true`);
    const get = await call("GET", `${path}/ci`);
    const permissions = await call("GET", `${path}/ci/permissions`);
    const change = await call("POST", `${path}/ci/regenerate`);

    const [robot] = list.body.robots ?? [];
    const seen = [robot?.token && "tokens", robot?.repositories && "roles"].filter(Boolean).join(" ");
    expect({
      list: list.status,
      get: get.status,
      change: change.status,
      permissions: permissions.status,
      sees: seen || (robot ? "names" : ""),
    }).toEqual(expected);
    expect(get.body.token !== undefined).toBe(expected.sees.includes("tokens"));
  });
});
