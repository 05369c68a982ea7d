import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

const created = "Sat, 21 Nov 2026 12:00:00 -0000";

describe("appTokenOperations", () => {
  it("make, list, show and end a token, and tell the usage log without its code", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.token(await registry.user("alice"), "user:admin");

    const made = await alice("POST", "/user/apptoken", { title: "laptop" });
    const { uuid, token_code } = made.body.token;
    const listed = await alice("GET", "/user/apptoken");
    const shown = await alice("GET", `/user/apptoken/${uuid}`);
    const ended = await alice("DELETE", `/user/apptoken/${uuid}`);

    const view = { uuid, title: "laptop", last_accessed: null, created, expiration: null };
    expect(made).toMatchObject({ status: 201, body: { token: { ...view, token_code } } });
    expect(token_code).toMatch(/^[A-Z0-9]{120}$/);
    expect(listed.body).toEqual({ tokens: [view], only_expiring: null });
    expect(shown.body).toEqual(made.body);
    expect(ended.status).toBe(204);
    expect((await alice("GET", `/user/apptoken/${uuid}`)).status).toBe(404);
    const metadata = expect.objectContaining({ app_specific_token_title: "laptop", app_specific_token: uuid });
    expect(await registry.usageLog()).toEqual([
      { kind: "create_app_specific_token", metadata },
      { kind: "revoke_app_specific_token", metadata },
    ]);
  });

  it("list what ends in the last tenth of its time as expiring, and no longer show what has ended", async () => {
    await using registry = await openTestRegistry({ settings: { appTokenSeconds: 1000 } });
    const alice = await registry.token(await registry.user("alice"), "user:admin");
    const made = await alice("POST", "/user/apptoken", { title: "laptop" });
    const path = `/user/apptoken/${made.body.token.uuid}`;
    const expiring = async () => (await alice("GET", "/user/apptoken?expiring=true")).body.tokens.length;

    const early = await expiring();
    registry.time.now += 900_000;
    const late = await expiring();
    registry.time.now += 100_000;
    const past = await expiring();

    expect(made.body.token.expiration).toBe("Sat, 21 Nov 2026 12:16:40 -0000");
    expect([early, late, past]).toEqual([0, 1, 0]);
    expect((await alice("GET", "/user/apptoken?expiring=false")).body).toMatchObject({
      tokens: [{}],
      only_expiring: false,
    });
    expect((await alice("GET", path)).status).toBe(404);
    expect((await alice("DELETE", path)).status).toBe(204);
  });

  it.each([
    { who: "anonymous", status: 401 },
    { who: "a token without the scope", status: 403 },
    { who: "another user", status: 404 },
    { who: "a superuser", status: 404 },
  ])("keep a token from $who", async ({ who, status }) => {
    await using registry = await openTestRegistry({ features: { superuserFullAccess: true } });
    const alice = await registry.user("alice");
    const owner = await registry.token(alice, "user:admin");
    const callers = {
      anonymous: registry.anonymous,
      "a token without the scope": await registry.token(alice, "user:read", "super:user"),
      "another user": await registry.token(await registry.user("bob"), "user:admin"),
      "a superuser": await registry.session(await registry.user("root")),
    };
    const { body } = await owner("POST", "/user/apptoken", { title: "laptop" });
    const caller = callers[who as keyof typeof callers];

    const shown = await caller("GET", `/user/apptoken/${body.token.uuid}`);
    const ended = await caller("DELETE", `/user/apptoken/${body.token.uuid}`);

    expect([shown.status, ended.status]).toEqual([status, status]);
    expect((await owner("GET", `/user/apptoken/${body.token.uuid}`)).status).toBe(200);
  });

  it.each([
    { body: {}, why: "no title" },
    { body: { title: 7 }, why: "a number for a title" },
    { body: { title: "x".repeat(256) }, why: "a title too long" },
  ])("refuse $why", async ({ body }) => {
    await using registry = await openTestRegistry();
    const alice = await registry.token(await registry.user("alice"), "user:admin");

    expect((await alice("POST", "/user/apptoken", body)).status).toBe(400);
    expect((await alice("GET", "/user/apptoken")).body.tokens).toEqual([]);
  });

  it("are unknown where the feature is off", async () => {
    await using registry = await openTestRegistry({ features: { appTokens: false } });

    expect((await registry.anonymous("GET", "/user/apptoken")).status).toBe(404);
  });
});
