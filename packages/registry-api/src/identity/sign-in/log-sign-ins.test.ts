import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import { describe, expect, it } from "vitest";
import { spendGuesses } from "../../fixtures/spend-guesses.ts";
import { openBrowser, testPassword, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry, type TestRegistryOptions } from "../../fixtures/test-registry.ts";
import { basic, openTokenService, putRobot } from "../../fixtures/test-tokens.ts";

/** Alice with a robot and an app token, whose address has a plus in it, and the token service. */
async function openWorld(settings: TestRegistryOptions["settings"] = {}) {
  const registry = await openTestRegistry({ settings });
  const { db } = registry.store;
  const alice = await userWithPassword(registry, "alice");
  await db.updateTable("account").set({ email: "alice+mail@example.com" }).where("id", "=", alice.id).execute();
  await putRobot(registry, alice, { shortName: "ci", token: "ROBOTTOKEN" });
  const secrets = createSealer(new Uint8Array(32), "tests");
  const token = await createAppToken(db, secrets, { accountId: alice.id, title: "laptop", now: 0 });
  const entries = async () => {
    const rows = await db.selectFrom("usage_log").selectAll().orderBy("id").execute();
    const name = (id: string | null) => (id === alice.id ? "alice" : id === null ? null : "robot");
    return rows.map(({ kind, metadata, namespace_id, performer_id }) => ({
      entry: kind,
      of: name(namespace_id),
      by: name(performer_id),
      ...(JSON.parse(metadata) as object),
    }));
  };
  const service = openTokenService(registry);
  return { registry, service, entries, appTokenCode: secrets.open(token.token_sealed) ?? "" };
}

const useragent = "lightMyRequest";
const scope = "repository:alice/app:pull";

describe("logSignIn", () => {
  it.each([
    { who: "a user", name: "alice", secret: testPassword, logged: { by: "alice", kind: "user" } },
    {
      who: "an e-mail address",
      name: "alice+mail@example.com",
      secret: testPassword,
      logged: { by: "alice", kind: "user" },
    },
    {
      who: "a robot",
      name: "alice+ci",
      secret: "ROBOTTOKEN",
      logged: { by: "robot", kind: "robot", robot: "alice+ci" },
    },
    {
      who: "an app token",
      name: "$app",
      secret: "app",
      logged: { by: "alice", kind: "app_specific_token", app_specific_token_title: "laptop" },
    },
  ])("tells that $who has signed in, and not what is pulled then", async ({ name, secret, logged }) => {
    const { registry, service, entries, appTokenCode } = await openWorld();
    await using _ = registry;
    const authorization = basic(name, secret === "app" ? appTokenCode : secret);

    const statuses = [await service.ask(authorization), await service.ask(authorization, scope)];

    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await entries()).toEqual([{ entry: "login_success", of: "alice", type: "v2auth", useragent, ...logged }]);
  });

  it("logs sessions, and their end", async () => {
    const { registry, entries } = await openWorld();
    await using _ = registry;
    const browser = openBrowser(registry);

    await browser.signIn("alice");
    await browser.call("POST", "/signout");

    expect(await entries()).toEqual([
      { entry: "login_success", of: "alice", by: "alice", type: "session", kind: "user", useragent },
      { entry: "logout_success", of: "alice", by: "alice" },
    ]);
  });

  it("logs nothing if the setting is off", async () => {
    const { registry, service, entries } = await openWorld({ logSignIns: false });
    await using _ = registry;
    const browser = openBrowser(registry);

    await service.ask(basic("alice", testPassword));
    await browser.signIn("alice");
    await browser.call("POST", "/signout");

    expect(await entries()).toEqual([]);
  });
});

describe("logFailedSignIn", () => {
  const message = expect.any(String);

  it.each([
    { name: "alice", logged: { of: "alice", kind: "user", username: "alice" } },
    { name: "alice+mail@example.com", logged: { of: "alice", kind: "user", username: "alice+mail@example.com" } },
    { name: "nobody", logged: { of: null, kind: "user", username: "nobody" } },
    { name: "alice+ci", logged: { of: "alice", kind: "robot", robot: "alice+ci" } },
    { name: "alice+none", logged: { of: "alice", kind: "robot", robot: "alice+none" } },
    { name: "$app", logged: { of: null, kind: "app_specific_token" } },
    { name: "$oauthtoken", logged: { of: null, kind: "oauth" } },
    { name: "$token", logged: { of: null, kind: "token" } },
    { name: "x".repeat(300), logged: { of: null, kind: "user", username: "x".repeat(255) } },
  ])("tells that $name was refused, and never what was shown", async ({ name, logged }) => {
    const { registry, service, entries } = await openWorld({ logFailedSignIns: true });
    await using _ = registry;

    const { status } = await service.ask(basic(name, "SECRET-SHOWN"), scope);

    expect(status).toBe(401);
    expect(await entries()).toEqual([
      { entry: "login_failure", by: null, type: "v2auth", useragent, message, ...logged },
    ]);
    expect(JSON.stringify(await entries())).not.toContain("SECRET-SHOWN");
  });

  it("logs sessions, and not attempts that come too soon again", async () => {
    const { registry, service, entries } = await openWorld({ logFailedSignIns: true });
    await using _ = registry;

    const failed = await openBrowser(registry).signIn("alice", "wrong-password");
    await spendGuesses(registry);
    const tooSoon = await openBrowser(registry).signIn("alice", "wrong-password");
    const elsewhere = await service.ask(basic("alice", "wrong-password"));

    expect([failed.status, tooSoon.status, elsewhere.status]).toEqual([403, 429, 429]);
    const logged = { entry: "login_failure", type: "session", kind: "user", useragent, username: "alice" };
    expect(await entries()).toEqual([{ of: "alice", by: null, message: "Invalid username or password", ...logged }]);
  });

  it("logs nothing unless the setting is on", async () => {
    const { registry, service, entries } = await openWorld();
    await using _ = registry;

    await service.ask(basic("alice", "wrong-password"));
    await service.ask(undefined);

    expect(await entries()).toEqual([]);
  });
});
