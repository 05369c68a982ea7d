import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { Scope } from "@plimsoll/registry/access/scopes";
import { createSealer, hashSecret } from "@plimsoll/registry/crypto/secrets";
import { hashQuickly } from "@plimsoll/registry/fixtures/quick-passwords";
import { createOAuthToken } from "@plimsoll/registry/identity/oauth/tokens";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import { createRepository } from "@plimsoll/registry/repositories/new-repository";
import { describe, expect, it } from "vitest";
import { spendGuesses } from "../fixtures/spend-guesses.ts";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { basic, openTokenService, putRobot } from "../fixtures/test-tokens.ts";

const password = "correct-horse";
const passwordHash = await hashQuickly(password);

/** Alice with everything she can sign in with, her repositories `alice/open` and `alice/closed`, and Bob. */
async function openWorld(options: Parameters<typeof openTestRegistry>[0] = {}) {
  const registry = await openTestRegistry(options);
  const { store } = registry;
  const alice = await registry.user("alice");
  await store.db.updateTable("account").set({ password_hash: passwordHash }).where("id", "=", alice.id).execute();
  await putRobot(registry, alice, { shortName: "ci", token: "ROBOTTOKEN" });
  const secrets = createSealer(new Uint8Array(32), "tests");
  const appToken = await createAppToken(store.db, secrets, { accountId: alice.id, title: "laptop", now: 0 });
  const [open, closed] = await Promise.all(
    (["open", "closed"] as const).map((name) => putRepository(registry, alice, name)),
  );
  await store.db
    .insertInto("repository_token")
    .values({
      id: "rt",
      repository_id: closed?.id ?? "",
      friendly_name: "deploy",
      role: "read",
      code_hash: hashSecret("REPOTOKEN"),
      code_sealed: "",
      created_at: 0,
    })
    .execute();
  return { registry, alice, open, closed, appTokenCode: secrets.open(appToken.token_sealed) ?? "" };
}

async function putRepository({ store, time }: TestRegistry, namespace: AccountRow, name: "open" | "closed") {
  const visibility = name === "open" ? "public" : "private";
  return createRepository(store.db, { namespace, name, visibility, creator: namespace, now: time.now });
}

async function oauthToken(registry: TestRegistry, account: AccountRow, ...scopes: readonly Scope[]): Promise<string> {
  await registry.token(account, "repo:read"); // makes the application
  const request = { clientId: `TEST${account.id}`, accountId: account.id, now: registry.time.now };
  return (await createOAuthToken(registry.store.db, { ...request, scopes: new Set(scopes) })).token;
}

describe("registerTokenService", () => {
  it.each([
    { by: "a user name", name: "alice", secret: password, kind: "user", sub: "alice", actions: ["push", "pull", "*"] },
    {
      by: "an e-mail address",
      name: "Alice@example.com",
      secret: password,
      kind: "user",
      sub: "alice",
      actions: ["push", "pull", "*"],
    },
    { by: "a robot", name: "alice+ci", secret: "ROBOTTOKEN", kind: "robot", sub: "alice+ci", actions: [] },
    {
      by: "an app token",
      name: "$app",
      secret: "app",
      kind: "appspecifictoken",
      sub: "alice",
      actions: ["push", "pull", "*"],
    },
    {
      by: "an OAuth token that may read",
      name: "$oauthtoken",
      secret: "oauth",
      kind: "oauthtoken",
      sub: "alice",
      actions: ["pull"],
    },
    {
      by: "the token of the repository",
      name: "$token",
      secret: "REPOTOKEN",
      kind: "token",
      sub: "(anonymous)",
      actions: ["pull"],
    },
  ])("gives a token for $by, with what it may", async ({ name, secret, kind, sub, actions }) => {
    const { registry, alice, appTokenCode } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);
    const secrets: Record<string, string> = {
      app: appTokenCode,
      oauth: await oauthToken(registry, alice, "repo:read"),
    };

    const { status, claims, body } = await service.ask(
      basic(name, secrets[secret] ?? secret),
      "repository:alice/closed:*,pull,push",
    );

    const iat = registry.time.now / 1000;
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["token", "expires_in", "issued_at"]);
    expect(claims).toMatchObject({ iss: "plimsoll", aud: "localhost", sub, iat, nbf: iat, exp: iat + 3600 });
    expect(claims.access).toEqual([{ type: "repository", name: "alice/closed", actions }]);
    expect(claims.context.entity_kind).toBe(kind);
  });

  it.each([
    { who: "auditor", scopes: ["user:read"], actions: [] },
    { who: "auditor", scopes: ["repo:read"], actions: ["pull"] },
    { who: "auditor", scopes: ["repo:admin"], actions: ["pull"] },
    { who: "root", scopes: ["super:user"], actions: [] },
    { who: "root", scopes: ["super:user", "repo:read"], actions: ["pull"] },
    { who: "root", scopes: ["super:user", "repo:admin"], actions: ["push", "pull", "*"] },
    { who: "root", scopes: ["repo:admin"], actions: [] },
  ] as const)("gives $who no more than an OAuth token with $scopes may", async ({ who, scopes, actions }) => {
    const { registry } = await openWorld({ features: { superuserFullAccess: true } });
    await using _ = registry;
    await using service = openTokenService(registry);
    const token = await oauthToken(registry, await registry.user(who), ...scopes);

    const { claims } = await service.ask(basic("$oauthtoken", token), "repository:alice/closed:*,pull,push");

    expect(claims.access).toEqual([{ type: "repository", name: "alice/closed", actions }]);
  });

  it.each([
    { scope: "repository:alice/open:pull,push", actions: ["pull"] },
    { scope: "repository:alice/closed:pull", actions: [] },
    { scope: "repository:alice/none:push,pull", actions: [] },
    { scope: "repository:nobody/none:push,pull", actions: [] },
    { scope: "repository:localhost/alice/open:pull", actions: ["pull"] },
    { scope: "repository:unqualified:pull", actions: [] },
    { scope: "registry:catalog:*", actions: [] },
  ])("gives an anonymous request what is public of $scope", async ({ scope, actions }) => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);

    const { status, claims } = await service.ask(undefined, scope);

    expect(status).toBe(200);
    expect(claims).toMatchObject({ sub: "(anonymous)", context: { entity_kind: "anonymous" } });
    expect(claims.access).toEqual([expect.objectContaining({ actions })]);
  });

  it("answers several scopes in one token, in parameters or in one", async () => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);

    const { claims } = await service.ask(
      basic("alice", password),
      "repository:alice/new:push,pull repository:bob/app:pull",
      "repository:alice/open:pull",
    );

    expect(claims.access).toEqual([
      { type: "repository", name: "alice/new", actions: ["push", "pull"] },
      { type: "repository", name: "bob/app", actions: [] },
      { type: "repository", name: "alice/open", actions: ["pull"] },
    ]);
  });

  it.each([
    { why: "no credentials and no scope", authorization: undefined, scopes: [] },
    {
      why: "a wrong password",
      authorization: basic("alice", "wrong-password"),
      scopes: ["repository:alice/open:pull"],
    },
    { why: "an unknown user", authorization: basic("nobody", "wrong-password"), scopes: [] },
    { why: "a user's name with a robot's token", authorization: basic("alice", "ROBOTTOKEN"), scopes: [] },
    { why: "a robot's name with the wrong token", authorization: basic("alice+ci", "REPOTOKEN"), scopes: [] },
    { why: "an unknown app token", authorization: basic("$app", "ROBOTTOKEN"), scopes: [] },
    { why: "an unknown OAuth token", authorization: basic("$oauthtoken", "x"), scopes: [] },
    { why: "an unknown repository token", authorization: basic("$token", "x"), scopes: [] },
    { why: "an empty password", authorization: basic("alice", ""), scopes: [] },
    { why: "another scheme", authorization: "Digest alice", scopes: [] },
    { why: "text that is not base64", authorization: "Basic !!!", scopes: [] },
    { why: "a name with a zero", authorization: basic("alice\u0000", password), scopes: [] },
  ])("refuses $why", async ({ authorization, scopes }) => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);

    const { status, headers, body } = await service.ask(authorization, ...scopes);

    expect(status).toBe(401);
    expect(headers).toMatchObject({
      "www-authenticate": 'Bearer realm="http://localhost/v2/auth",service="localhost"',
      "docker-distribution-api-version": "registry/2.0",
      "cache-control": "no-store",
    });
    expect(body.errors).toEqual([{ code: "UNAUTHORIZED", message: expect.any(String), detail: {} }]);
  });

  it.each([
    { scope: "repository", status: 400, code: "INVALID_REQUEST" },
    { scope: "repository:alice/open", status: 400, code: "INVALID_REQUEST" },
    { scope: "repository:alice/open:PULL", status: 400, code: "INVALID_REQUEST" },
    { scope: "repository:alice/../open:pull", status: 400, code: "NAME_INVALID" },
    { scope: "repository:alice/Open:pull", status: 400, code: "NAME_INVALID" },
    { scope: "repository:al\u0000ice/open:pull", status: 400, code: "NAME_INVALID" },
    { scope: "repository:Alice/open:pull", status: 400, code: "NAME_INVALID" },
    { scope: "repository:elsewhere:5000/alice/open:pull", status: 400, code: "NAME_INVALID" },
    { scope: "repository:a/b:pull ".repeat(51), status: 400, code: "INVALID_REQUEST" },
  ])("refuses the malformed scope $scope", async ({ scope, status, code }) => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);

    const answer = await service.ask(undefined, scope);

    expect(answer).toMatchObject({ status, body: { errors: [{ code }] } });
  });

  it("makes a client that guesses wait after many failures, and lets the owner in again", async () => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);

    const wrong = await service.ask(basic("alice", "wrong-password"));
    await spendGuesses(registry);
    const tooSoon = await service.ask(basic("alice", password));
    registry.time.now += 300_000;
    const owner = await service.ask(basic("alice", password));
    const known = await service.ask(basic("alice", password));

    expect(wrong.status).toBe(401);
    expect(tooSoon).toMatchObject({ status: 429, headers: { "retry-after": "300" } });
    expect([owner.status, known.status]).toEqual([200, 200]);
  });

  it("makes clients that guess for an unknown user wait as well", async () => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);
    const guess = async (name: string) => {
      const { status, headers, body } = await service.ask(basic(name, "wrong-password"));
      await spendGuesses(registry);
      return { status, body, headers: { ...headers, date: "" } };
    };

    const known = [await guess("alice"), await guess("alice")];
    const unknown = [await guess("nobody"), await guess("nobody")];

    expect(known.map(({ status }) => status)).toEqual([401, 429]);
    expect(unknown).toEqual(known);
  });

  it("forgets that a password was right when it changes or the user is disabled", async () => {
    const { registry, alice } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);
    const set = (values: object) =>
      registry.store.db.updateTable("account").set(values).where("id", "=", alice.id).execute();
    const ask = async () => (await service.ask(basic("alice", password))).status;

    const before = await ask();
    await set({ password_hash: await hashQuickly("another-password") });
    const changed = await ask();
    await set({ password_hash: passwordHash, enabled: 0 });
    const disabled = await ask();

    expect([before, changed, disabled]).toEqual([200, 401, 401]);
  });

  it("refuses users who have not confirmed their address, where they have to", async () => {
    const { registry } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry, { onlyVerified: true });

    expect((await service.ask(basic("alice", password))).status).toBe(401);
  });

  it("denies what is in a disabled namespace, and in no other way what is in none", async () => {
    const { registry, alice } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();

    const disabled = await service.ask(undefined, "repository:alice/open:pull");
    const ofUnknown = await service.ask(undefined, "repository:nobody/open:pull");

    expect(disabled).toMatchObject({ status: 405, body: { errors: [{ code: "DENIED" }] } });
    expect(ofUnknown).toMatchObject({ status: 200, claims: { access: [{ actions: [] }] } });
  });

  it("refuses robots of disabled namespaces, and app tokens past their time", async () => {
    const { registry, alice, appTokenCode } = await openWorld();
    await using _ = registry;
    await using service = openTokenService(registry);
    const { db } = registry.store;

    await db.updateTable("app_token").set({ expires_at: registry.time.now }).execute();
    const expired = await service.ask(basic("$app", appTokenCode));
    await db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();
    const robot = await service.ask(basic("alice+ci", "ROBOTTOKEN"));
    const repositoryToken = await service.ask(basic("$token", "REPOTOKEN"));

    expect([expired.status, robot.status, repositoryToken.status]).toEqual([401, 401, 401]);
  });

  it.each<{ what: string; login: (world: World) => Promise<string>; end: (world: World) => Promise<unknown> }>([
    { what: "signing out", login: asAlice, end: async ({ session }) => session("POST", "/signout") },
    {
      what: "another password",
      login: asAlice,
      end: async ({ session }) => session("PUT", "/user/", { password: "another-one" }),
    },
    { what: "deleting the account", login: asAlice, end: async ({ session }) => session("DELETE", "/user/") },
    { what: "disabling the account", login: asAlice, end: disableAlice },
    {
      what: "another token for the robot",
      login: asRobot,
      end: async ({ session }) => session("POST", "/user/robots/ci/regenerate"),
    },
    { what: "deleting the robot", login: asRobot, end: async ({ session }) => session("DELETE", "/user/robots/ci") },
    { what: "disabling the robot's owner", login: asRobot, end: disableAlice },
    { what: "ending the app token", login: asAppToken, end: endAll("app_token") },
    {
      what: "signing out, for an app token",
      login: asAppToken,
      end: async ({ session }) => session("POST", "/signout"),
    },
    { what: "ending the OAuth token", login: asOAuthToken, end: endAll("oauth_token") },
    { what: "deleting the application", login: asOAuthToken, end: endAll("oauth_application") },
    { what: "ending the repository's token", login: asRepositoryToken, end: endAll("repository_token") },
    {
      what: "deleting the repository",
      login: asRepositoryToken,
      end: async ({ session }) => session("DELETE", "/repository/alice/closed"),
    },
  ])("refuses a token again after $what", async ({ login, end }) => {
    const opened = await openWorld();
    await using registry = opened.registry;
    await using service = openTokenService(registry);
    const world = { ...opened, session: await registry.session(opened.alice) };
    const { token } = await service.ask(await login(world), "repository:alice/closed:pull");
    const identify = () => service.auth.identify({ authorization: `Bearer ${token}` });
    await expect(identify()).resolves.toBeDefined();

    await end(world);

    await expect(identify()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});

type World = Awaited<ReturnType<typeof openWorld>> & { readonly session: Call };

const asAlice = async () => basic("alice", password);
const asRobot = async () => basic("alice+ci", "ROBOTTOKEN");
const asAppToken = async ({ appTokenCode }: World) => basic("$app", appTokenCode);
const asRepositoryToken = async () => basic("$token", "REPOTOKEN");
const asOAuthToken = async ({ registry, alice }: World) =>
  basic("$oauthtoken", await oauthToken(registry, alice, "repo:read"));

function disableAlice({ registry, alice }: World) {
  return registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();
}

function endAll(table: "app_token" | "oauth_token" | "oauth_application" | "repository_token") {
  return ({ registry }: World) => registry.store.db.deleteFrom(table).execute();
}
