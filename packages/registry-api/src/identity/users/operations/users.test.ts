import { describe, expect, it } from "vitest";
import { testPassword, userWithPassword } from "../../../fixtures/test-browser.ts";
import { queuedMail } from "../../../fixtures/test-mail.ts";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";
import { basic, openTokenService } from "../../../fixtures/test-tokens.ts";

const first = { username: "root", password: "long-enough", email: "root@example.com" };

describe("getUserInformation", () => {
  it("shows every caller little of a user, and nothing of other accounts", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.user("alice");
    await registry.organization("acme");
    const get = async (name: string) => (await registry.anonymous("GET", `/users/${name}`)).status;

    const { body } = await registry.anonymous("GET", "/users/alice");
    const known = [await get("alice"), await get("acme"), await get("nobody")];
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();

    expect(body).toEqual({
      anonymous: false,
      username: "alice",
      avatar: expect.objectContaining({ name: "alice", kind: "user" }),
    });
    expect([...known, await get("alice")]).toEqual([200, 404, 404, 404]);
  });

  it("is for those who have signed in where the registry is closed", async () => {
    await using registry = await openTestRegistry({ features: { anonymousAccess: false } });
    const alice = await registry.session(await registry.user("alice"));

    expect((await registry.anonymous("GET", "/users/alice")).status).toBe(401);
    expect((await alice("GET", "/users/alice")).status).toBe(200);
  });
});

describe("initializeRegistry", () => {
  it("makes the first user, who has every right with the token for a while", async () => {
    await using registry = await openTestRegistry();

    const made = await registry.anonymous("POST", "/user/initialize", { ...first, access_token: true });
    const headers = { authorization: `Bearer ${made.body.access_token}` };
    const use = async () => (await registry.app.inject({ url: "/api/v1/superuser/users/", headers })).statusCode;

    expect(made).toMatchObject({ status: 200, body: { username: "root", email: "root@example.com" } });
    expect(await use()).toBe(200);
    await using service = openTokenService(registry);
    expect((await service.ask(basic("root", first.password))).status).toBe(200);
    expect((await service.ask(basic("root", made.body.encrypted_password))).status).toBe(200);
    registry.time.now += 9_000_000;
    expect(await use()).toBe(401);
    expect(JSON.stringify(await registry.usageLog())).not.toContain(made.body.access_token);
  });

  it.each([
    { named: [], isSuperuser: true },
    { named: ["ops"], isSuperuser: false },
  ])("makes a superuser where the settings name $named: $isSuperuser", async ({ named, isSuperuser }) => {
    await using registry = await openTestRegistry({ settings: { superusers: named } });

    const made = await registry.anonymous("POST", "/user/initialize", { ...first, access_token: true });
    const headers = { authorization: `Bearer ${made.body.access_token}` };
    const { statusCode } = await registry.app.inject({ url: "/api/v1/superuser/users/", headers });
    const user = await registry.app.inject({ url: "/api/v1/user/", headers });

    expect(statusCode).toBe(isSuperuser ? 200 : 403);
    expect(user.json().super_user ?? false).toBe(isSuperuser);
  });

  it("makes one user of several that ask at once, and none afterwards", async () => {
    await using registry = await openTestRegistry();
    const ask = (username: string) =>
      registry.anonymous("POST", "/user/initialize", { ...first, username, email: `${username}@example.com` });

    const answers = await Promise.all([ask("one"), ask("two"), ask("three")]);
    const late = await ask("four");

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(late.status).toBe(400);
    expect(await registry.store.db.selectFrom("account").select("id").execute()).toHaveLength(1);
  });

  it("makes none where there are users, or the feature is off", async () => {
    await using registry = await openTestRegistry();
    await using closed = await openTestRegistry({ features: { userInitialize: false } });
    await registry.user("alice");

    expect((await registry.anonymous("POST", "/user/initialize", first)).status).toBe(400);
    expect((await closed.anonymous("POST", "/user/initialize", first)).status).not.toBe(200);
  });

  it.each([
    { body: { ...first, password: "short" } },
    { body: { ...first, username: "Root" } },
    { body: { ...first, email: "root" } },
    { body: {} },
  ])("leaves the registry as it was after $body", async ({ body }) => {
    await using registry = await openTestRegistry();

    const refused = await registry.anonymous("POST", "/user/initialize", body);

    expect(refused.status).toBe(400);
    expect((await registry.anonymous("POST", "/user/initialize", first)).status).toBe(200);
  });
});

describe("generateUserClientKey", () => {
  it("gives the password as something that only registries read", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.session(await userWithPassword(registry, "alice"));

    const { status, body } = await alice("POST", "/user/clientkey", { password: testPassword });
    const wrong = await alice("POST", "/user/clientkey", { password: "wrong-password" });

    await using service = openTokenService(registry);
    expect([status, wrong.status]).toEqual([200, 400]);
    expect(body.key).not.toContain(testPassword);
    registry.time.now += 1000;
    expect((await service.ask(basic("alice", body.key))).status).toBe(200);
  });
});

describe("requestRecoveryEmail", () => {
  it("answers every request the same, and sends mail to users only, once a minute", async () => {
    await using registry = await openTestRegistry({ ports: { mailer: { send: async () => {} } } });
    await registry.user("alice");
    const ask = (email: string) => registry.anonymous("POST", "/recovery", { email });

    const answers = [await ask("Alice@example.com"), await ask("alice@example.com"), await ask("nobody@example.com")];
    registry.time.now += 60_000;
    await ask("alice@example.com");

    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: "sent" } });
    expect(await queuedMail(registry)).toMatchObject([
      { to: "alice@example.com", text: expect.stringMatching(/http:\/\/localhost\/recovery\?code=[A-Z0-9]{40}\n/) },
      { to: "alice@example.com" },
    ]);
  });

  it("is unknown where there is no mail", async () => {
    await using registry = await openTestRegistry();

    expect((await registry.anonymous("POST", "/recovery", { email: "alice@example.com" })).status).toBe(404);
  });
});
