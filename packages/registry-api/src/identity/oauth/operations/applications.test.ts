import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/applications";
const details = {
  name: "console",
  redirect_uri: "https://console.example.com/back",
  application_uri: "https://console.example.com",
  description: "Shows images",
  avatar_email: "console@example.com",
};

/** The organization `acme` of Alice, and every kind of caller that may ask for its applications. */
async function openWorld() {
  const registry = await openTestRegistry();
  const [alice, carol] = [await registry.user("alice"), await registry.user("carol")];
  await registry.organization("acme", { admin: [alice], member: [carol] });
  await registry.organization("other", { admin: [alice] });
  const callers = {
    admin: await registry.session(alice),
    "a token of the admin": await registry.token(alice, "org:admin"),
    "a token without the scope": await registry.token(alice, "repo:admin", "user:admin"),
    "a member": await registry.session(carol),
    "a stranger": await registry.session(await registry.user("bob")),
    "a superuser": await registry.session(await registry.user("root")),
    "a read-only superuser": await registry.session(await registry.user("auditor")),
    anonymous: registry.anonymous,
  };
  return { registry, callers, admin: callers.admin };
}

describe("oauthApplicationOperations", () => {
  it("register, list, show, change and delete an application", async () => {
    const { registry, admin } = await openWorld();
    await using _ = registry;

    const made = await admin("POST", path, details);
    const { client_id, client_secret } = made.body;
    const shown = await admin("GET", `${path}/${client_id}`);
    const listed = await admin("GET", path);
    const changed = await admin("PUT", `${path}/${client_id}`, { name: "ui", redirect_uri: "", application_uri: "" });
    const deleted = await admin("DELETE", `${path}/${client_id}`);

    expect(made).toMatchObject({ status: 201, body: { ...details, client_id, client_secret } });
    expect([client_id, client_secret]).toEqual([
      expect.stringMatching(/^[A-Z0-9]{20}$/),
      expect.stringMatching(/^[A-Z0-9]{40}$/),
    ]);
    expect(shown.body).toEqual(made.body);
    expect(listed.body).toEqual({ applications: [made.body] });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: "ui",
        redirect_uri: "",
        application_uri: "",
        description: "",
        avatar_email: null,
        client_id,
        client_secret,
      },
    });
    expect(deleted.status).toBe(204);
    expect((await admin("GET", `${path}/${client_id}`)).status).toBe(404);
    expect(await registry.usageLog()).toEqual([
      { kind: "create_application", metadata: { ...details, application_name: "console", client_id } },
      {
        kind: "update_application",
        metadata: { name: "ui", redirect_uri: "", application_uri: "", application_name: "ui", client_id },
      },
      { kind: "delete_application", metadata: { application_name: "ui", client_id } },
    ]);
  });

  it.each([
    "javascript:alert(1)",
    "//evil.example/back",
    "https://app.example.com/back\r\nX: y",
    "https://app.example.com/back#part",
    "/back",
  ])("refuse the redirect address %j, which could never be used", async (redirect_uri) => {
    const { registry, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);
    const detail = expect.stringMatching(/^redirect_uri: expected/);

    const made = await admin("POST", path, { ...details, redirect_uri });
    const changed = await admin("PUT", `${path}/${body.client_id}`, { ...details, redirect_uri });

    for (const answer of [made, changed]) expect(answer).toMatchObject({ status: 400, body: { detail } });
    expect((await admin("GET", path)).body).toEqual({ applications: [body] });
  });

  it("replace the secret", async () => {
    const { registry, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, { name: "console" });

    const reset = await admin("POST", `${path}/${body.client_id}/resetclientsecret`);

    expect(reset).toMatchObject({ status: 200, body: { name: "console", client_id: body.client_id } });
    expect(reset.body.client_secret).not.toBe(body.client_secret);
    expect((await admin("GET", `${path}/${body.client_id}`)).body).toEqual(reset.body);
  });

  it.each([
    { who: "admin", reads: 200, writes: 201 },
    { who: "a token of the admin", reads: 200, writes: 201 },
    { who: "a token without the scope", reads: 403, writes: 403 },
    { who: "a member", reads: 403, writes: 403 },
    { who: "a stranger", reads: 403, writes: 403 },
    { who: "a superuser", reads: 403, writes: 403 },
    { who: "a read-only superuser", reads: 200, writes: 403 },
    { who: "anonymous", reads: 401, writes: 401 },
  ] as const)("answer $who: reads $reads, writes $writes", async ({ who, reads, writes }) => {
    const { registry, callers, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);
    const caller = callers[who];

    expect((await caller("GET", path)).status).toBe(reads);
    expect((await caller("GET", `${path}/${body.client_id}`)).status).toBe(reads);
    expect((await caller("POST", path, details)).status).toBe(writes);
    expect((await caller("PUT", `${path}/${body.client_id}`, details)).status).toBe(writes === 201 ? 200 : writes);
    expect((await caller("DELETE", `${path}/${body.client_id}`)).status).toBe(writes === 201 ? 204 : writes);
  });

  it("keep the secret from read-only superusers", async () => {
    const { registry, callers, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);
    const auditor = callers["a read-only superuser"];

    const shown = await auditor("GET", `${path}/${body.client_id}`);
    await admin("PUT", "/organization/acme/team/owners/members/auditor");
    const asAdmin = await auditor("GET", path);

    const hidden = { ...body, client_secret: null, redirect_uri: null, avatar_email: null };
    expect(shown.body).toEqual(hidden);
    expect(asAdmin.body).toEqual({ applications: [hidden] });
  });

  it.each([
    { why: "another organization's", at: "/organization/other/applications/ID" },
    { why: "an unknown id", at: `${path}/UNKNOWN` },
  ])("know no application by $why", async ({ at }) => {
    const { registry, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);

    expect((await admin("GET", at.replace("ID", body.client_id))).status).toBe(404);
    expect((await admin("DELETE", at.replace("ID", body.client_id))).status).toBe(404);
  });

  it.each([
    { body: {} },
    { body: { name: "" } },
    { body: { name: "x".repeat(256) } },
    { body: { name: "x", redirect_uri: 7 } },
    { body: { name: "x", redirect_uri: `https://${"x".repeat(2000)}` } },
    { body: [] },
  ])("refuse to register $body", async ({ body }) => {
    const { registry, admin } = await openWorld();
    await using _ = registry;

    expect((await admin("POST", path, body)).status).toBe(400);
    expect((await admin("GET", path)).body.applications).toEqual([]);
  });

  it("show an application to every caller", async () => {
    const { registry, callers, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);

    const information = await callers.anonymous("GET", `/app/${body.client_id}`);

    expect(information.status).toBe(200);
    expect(information.body).toEqual({
      name: "console",
      description: "Shows images",
      uri: "https://console.example.com",
      avatar: expect.objectContaining({ name: "console", kind: "app" }),
      organization: expect.objectContaining({ name: "acme", email: "", is_admin: false, is_member: false }),
    });
    expect((await callers.admin("GET", `/app/${body.client_id}`)).body.organization).toMatchObject({ teams: {} });
    expect((await callers.anonymous("GET", "/app/UNKNOWN")).status).toBe(404);
  });
});

describe("oauthApplicationTokenOperations", () => {
  it("make a token that is shown once, list it without, and end it", async () => {
    const { registry, admin } = await openWorld();
    await using _ = registry;
    const { body: application } = await admin("POST", path, details);
    const tokens = `${path}/${application.client_id}/tokens`;
    const use = async (token: string) =>
      (await registry.app.inject({ url: "/api/v1/user/apptoken", headers: { authorization: `Bearer ${token}` } }))
        .statusCode;

    const made = await admin("POST", tokens, { name: " deploy ", scope: "user:admin repo:read", expiration: 60 });
    const { token, ...view } = made.body;
    const listed = await admin("GET", tokens);
    const before = await use(token);
    const ended = await admin("DELETE", `${tokens}/${view.uuid}`);

    expect(made.status).toBe(200);
    expect(token).toMatch(/^[A-Z0-9]{40}$/);
    expect(view).toEqual({
      uuid: view.uuid,
      name: "deploy",
      scope: "user:admin repo:read",
      created: "2026-11-21T12:00:00.000Z",
      expires_at: "2026-11-21T12:01:00.000Z",
      last_accessed: null,
      created_by: "alice",
    });
    expect(listed.body).toEqual({ tokens: [view] });
    expect([before, ended.status, await use(token)]).toEqual([200, 204, 401]);
    expect((await admin("DELETE", `${tokens}/${view.uuid}`)).status).toBe(404);
    const tooLong = await admin("POST", tokens, { name: "long", scope: "repo:read", expiration: 1e9 });
    expect(tooLong).toMatchObject({ status: 400, body: { detail: expect.stringContaining("315576000") } });
    expect((await registry.usageLog()).slice(1).map(({ kind }) => kind)).toEqual([
      "create_oauth_api_token",
      "revoke_oauth_api_token",
    ]);
    expect(JSON.stringify(await registry.usageLog())).not.toContain(token);
  });

  it.each([
    { scope: "repo:read, repo:write", by: "admin", status: 400 },
    { scope: "", by: "admin", status: 400 },
    { scope: "everything", by: "admin", status: 400 },
    { scope: "super:user", by: "admin", status: 403 },
    { scope: "repo:read", by: "a token of the admin", status: 403 },
    { scope: "org:admin", by: "a token of the admin", status: 200 },
    { scope: "org:admin", by: "a member", status: 403 },
    { scope: "org:admin", by: "a read-only superuser", status: 403 },
  ] as const)("answer $status to $by who asks for $scope", async ({ scope, by, status }) => {
    const { registry, callers, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);

    expect((await callers[by]("POST", `${path}/${body.client_id}/tokens`, { name: "x", scope })).status).toBe(status);
  });

  it("page, the newest first, without what has expired", async () => {
    const { registry, admin } = await openWorld();
    await using _ = registry;
    const { body } = await admin("POST", path, details);
    const tokens = `${path}/${body.client_id}/tokens`;
    await admin("POST", tokens, { name: "short", scope: "repo:read", expiration: 1 });
    for (let index = 0; index < 52; index++) {
      registry.time.now += 1000;
      await admin("POST", tokens, { name: `t${index}`, scope: "repo:read" });
    }

    const first = (await admin("GET", tokens)).body;
    const second = (await admin("GET", `${tokens}?next_page=${first.next_page}`)).body;

    expect(first.tokens).toHaveLength(50);
    expect(first.tokens[0].name).toBe("t51");
    expect(second.tokens.map((each: { name: string }) => each.name)).toEqual(["t1", "t0"]);
    expect(second.next_page).toBeUndefined();
    const { next_page: ofTheLog } = (await admin("GET", "/organization/acme/logs")).body;
    expect(ofTheLog).toEqual(expect.any(String));
    expect(await admin("GET", `${tokens}?next_page=${ofTheLog}`)).toMatchObject({ status: 400 });
  });
});
