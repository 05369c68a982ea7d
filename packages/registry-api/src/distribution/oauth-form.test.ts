import { withoutUndefined } from "@plimsoll/core/internal";
import { hashQuickly } from "@plimsoll/registry/fixtures/quick-passwords";
import { createRepository } from "@plimsoll/registry/repositories/new-repository";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { openTokenService, putRobot } from "../fixtures/test-tokens.ts";

const password = "correct-horse";
const passwordHash = await hashQuickly(password);

async function openWorld() {
  const registry = await openTestRegistry();
  const { store, time } = registry;
  const alice = await registry.user("alice");
  await store.db.updateTable("account").set({ password_hash: passwordHash }).where("id", "=", alice.id).execute();
  await putRobot(registry, alice, { shortName: "ci", token: "ROBOTTOKEN" });
  await createRepository(store.db, {
    namespace: alice,
    name: "closed",
    visibility: "private",
    creator: alice,
    now: time.now,
  });
  const service = openTokenService(registry);
  return {
    registry,
    alice,
    service,
    async post(fields: Record<string, string>, type = "application/x-www-form-urlencoded") {
      const payload = new URLSearchParams({ service: "localhost", client_id: "test", ...fields }).toString();
      const response = await service.app.inject({
        method: "POST",
        url: "/v2/auth",
        headers: { "content-type": type },
        payload,
      });
      return { status: response.statusCode, headers: response.headers, body: response.json() };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}

const scope = "repository:alice/closed:pull,push";
const signIn = { grant_type: "password", username: "alice", password };

describe("POST /v2/auth", () => {
  it("gives a token for a password, which the registry takes", async () => {
    await using world = await openWorld();

    const { status, body, headers } = await world.post({ ...signIn, scope });

    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      access_token: expect.any(String),
      token: body.access_token,
      token_type: "Bearer",
      scope: "repository:alice/closed:push,pull",
      expires_in: 3600,
      issued_at: new Date(world.registry.time.now).toISOString(),
    });
    const caller = await world.service.auth.identify({ authorization: `Bearer ${body.access_token}` });
    expect(caller?.allows("alice/closed", "push")).toBe(true);
  });

  it("gives a refresh token where one is asked for; it is good for other tokens and for nothing else", async () => {
    await using world = await openWorld();
    const { body: first } = await world.post({ ...signIn, access_type: "offline" });
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token };

    const { status, body } = await world.post({ ...refresh, scope });

    expect(status).toBe(200);
    expect(body).toMatchObject({ scope: "repository:alice/closed:push,pull" });
    expect(body).not.toHaveProperty("refresh_token");
    await expect(world.service.auth.identify({ authorization: `Bearer ${first.refresh_token}` })).rejects.toThrow();
    expect((await world.post({ ...refresh, refresh_token: body.access_token })).status).toBe(401);
    expect((await world.post({ ...refresh, service: "elsewhere" })).status).toBe(401);
  });

  it.each([
    { why: "the password changes", change: { credential_version: 9 } },
    { why: "the account is disabled", change: { enabled: 0 as const } },
  ])("takes a refresh token no longer once $why", async ({ change }) => {
    await using world = await openWorld();
    const { body } = await world.post({ ...signIn, access_type: "offline" });
    await world.registry.store.db.updateTable("account").set(change).where("id", "=", world.alice.id).execute();

    const { status } = await world.post({ grant_type: "refresh_token", refresh_token: body.refresh_token });

    expect(status).toBe(401);
  });

  it("takes a refresh token as long as people stay signed in", async () => {
    await using world = await openWorld();
    const { body } = await world.post({ ...signIn, access_type: "offline" });
    const refresh = { grant_type: "refresh_token", refresh_token: body.refresh_token };
    const { sessionSeconds } = world.registry.settings;

    world.registry.time.now += (sessionSeconds - 60) * 1000;
    const before = await world.post(refresh);
    world.registry.time.now += 120_000;
    const after = await world.post(refresh);

    expect([before.status, after.status]).toEqual([200, 401]);
  });

  it("knows robots as well", async () => {
    await using world = await openWorld();

    const { status } = await world.post({ grant_type: "password", username: "alice+ci", password: "ROBOTTOKEN" });

    expect(status).toBe(200);
  });

  it("logs who signs in, and not what a push and a pull ask", async () => {
    await using world = await openWorld();
    await world.post({ ...signIn, scope });
    await world.post(signIn);

    const kinds = (await world.registry.usageLog()).map(({ kind }) => kind);

    expect(kinds.filter((kind) => kind === "login_success")).toEqual(["login_success"]);
  });

  it.each([
    { what: "in the query", query: { scope, service: "localhost" }, fields: undefined, status: 200, granted: scope },
    {
      what: "in a form without a grant",
      query: {},
      fields: { scope, service: "localhost" },
      status: 200,
      granted: scope,
    },
    { what: "nowhere", query: {}, fields: undefined, status: 200, granted: "" },
    { what: "in the query", password: "wrong-password", query: { scope }, fields: undefined, status: 401 },
    { what: "nowhere", authorization: "Bearer x", query: {}, fields: undefined, status: 401 },
  ])("answers $status to Basic credentials with a scope $what", async (row) => {
    await using world = await openWorld();
    const basic = `Basic ${Buffer.from(`alice:${row.password ?? password}`).toString("base64")}`;

    const response = await world.service.app.inject({
      method: "POST",
      url: `/v2/auth?${new URLSearchParams(withoutUndefined(row.query))}`,
      headers: {
        authorization: row.authorization ?? basic,
        ...(row.fields && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(row.fields && { payload: new URLSearchParams(row.fields).toString() }),
    });

    expect(response.statusCode).toBe(row.status);
    if (row.status !== 200) return;
    const { token, scope: granted } = response.json();
    expect([granted, (await world.service.auth.identify({ authorization: `Bearer ${token}` })) !== undefined]).toEqual([
      row.granted?.replace("pull,push", "push,pull"),
      true,
    ]);
  });

  it.each([
    { fields: { ...signIn, password: "wrong-password" }, status: 401, code: "UNAUTHORIZED" },
    { fields: { grant_type: "refresh_token", refresh_token: "x" }, status: 401, code: "UNAUTHORIZED" },
    { fields: { grant_type: "refresh_token" }, status: 400, code: "INVALID_REQUEST" },
    { fields: { grant_type: "password", username: "alice" }, status: 400, code: "INVALID_REQUEST" },
    { fields: { grant_type: "client_credentials" }, status: 400, code: "INVALID_REQUEST" },
    { fields: {}, status: 400, code: "INVALID_REQUEST" },
    { fields: { ...signIn, scope: "repository" }, status: 400, code: "INVALID_REQUEST" },
  ])("answers $status to $fields", async ({ fields, status, code }) => {
    await using world = await openWorld();

    const answer = await world.post(withoutUndefined(fields));

    expect(answer).toMatchObject({ status, body: { errors: [{ code }] } });
  });

  it("takes forms only", async () => {
    await using world = await openWorld();

    const answer = await world.post(signIn, "application/json");

    expect(answer).toMatchObject({ status: 415, body: { errors: [{ code: "INVALID_REQUEST" }] } });
  });
});
