import { createHash } from "node:crypto";
import { withoutUndefined } from "@plimsoll/core/internal";
import { StoreError } from "@plimsoll/store";
import { engineTitle, startRelay, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { allow, authorizePath, openApplication, redirectUri } from "../fixtures/test-application.ts";
import { openBrowser } from "../fixtures/test-browser.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("registerAccessToken", () => {
  it("exchanges a code for a token, once: a code that comes again ends the token", async () => {
    const { registry, alice, asks, secret } = await openApplication();
    await using _ = registry;
    const location = await allow(alice, asks);
    const code = location.searchParams.get("code") ?? "";
    const { state: __, ...named } = asks;
    const exchange = { ...named, grant_type: "authorization_code", client_secret: secret, code };
    const program = openBrowser(registry);

    const answer = await program.submit("/oauth/access_token", exchange);
    const headers = { authorization: `Bearer ${answer.body.access_token}` };
    const use = async () => (await registry.app.inject({ url: "/api/v1/user/", headers })).statusCode;
    const before = await use();
    const stranger = await program.submit("/oauth/access_token", { ...exchange, client_secret: "x" });
    const between = await use();
    const again = await program.submit("/oauth/access_token", exchange);
    const after = await use();

    expect(Object.fromEntries(location.searchParams)).toEqual({ code, state: "s&1" });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store", pragma: "no-cache" },
      body: { access_token: expect.any(String), token_type: "Bearer", expires_in: 315_576_000, refresh_token: null },
    });
    expect(stranger.body).toEqual({ error: "invalid_client" });
    expect(again).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect([before, between, after]).toEqual([200, 200, 401]);
  });

  for (const engine of testEngines) {
    const title = `gives a code to one of those who show it at once, on ${engineTitle(engine)}`;
    it.skipIf(engine.skip !== undefined)(title, async () => {
      const { registry, alice, asks, secret } = await openApplication({}, { engine });
      await using _ = registry;
      const code = (await allow(alice, asks)).searchParams.get("code") ?? "";
      const exchange = { ...asks, grant_type: "authorization_code", client_secret: secret, code };

      const answers = await Promise.all(
        [1, 2, 3].map(() => openBrowser(registry).submit("/oauth/access_token", exchange)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      expect(await registry.store.db.selectFrom("oauth_token").select("id").execute()).toEqual([]);
    });
  }

  it("takes the client's secret as Basic credentials too", async () => {
    const { registry, alice, asks, secret } = await openApplication();
    await using _ = registry;
    const code = (await allow(alice, asks)).searchParams.get("code") ?? "";
    const { client_id, scope } = asks;

    const answer = await registry.app.inject({
      method: "POST",
      url: "/oauth/access_token",
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: new URLSearchParams({
        grant_type: "authorization_code",
        redirect_uri: redirectUri,
        scope,
        code,
      }).toString(),
    });

    expect(answer.statusCode).toBe(200);
  });

  it.each([
    { other: { grant_type: "password" }, error: "unsupported_grant_type" },
    { other: { grant_type: "" }, error: "invalid_request" },
    { other: { code: "" }, error: "invalid_request" },
    { other: { code: "CODE" }, error: "invalid_grant" },
    { other: { client_secret: "SECRET" }, error: "invalid_client" },
    { other: { client_secret: "" }, error: "invalid_client" },
    { other: { client_id: "CLIENT" }, error: "invalid_client" },
    { other: { redirect_uri: `${redirectUri}/else` }, error: "invalid_grant" },
    { other: { scope: "repo:read" }, error: "invalid_scope" },
    { other: { scope: "everything" }, error: "invalid_scope" },
    { other: {}, later: 600_000, error: "invalid_grant" },
    { other: {}, disable: true, error: "invalid_grant" },
  ])("refuses to exchange a code with $other: $error", async ({ other, error, later = 0, disable }) => {
    const { registry, alice, asks, secret } = await openApplication();
    await using _ = registry;
    const code = (await allow(alice, asks)).searchParams.get("code") ?? "";
    registry.time.now += later;
    const { db } = registry.store;
    if (disable) await db.updateTable("account").set({ enabled: 0 }).where("username", "=", "alice").execute();
    const exchange = { ...asks, grant_type: "authorization_code", client_secret: secret, code, ...other };

    const answer = await openBrowser(registry).submit("/oauth/access_token", exchange);

    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(await db.selectFrom("oauth_token").select("id").execute()).toEqual([]);
  });

  it.each([
    { code: "unavailable", retryAfterSeconds: 5 },
    { code: "read_only", retryAfterSeconds: 30 },
  ] as const)(
    "answers 503 in the form of RFC 6749 while the database is $code",
    async ({ code, retryAfterSeconds }) => {
      const log: string[] = [];
      const outage = new StoreError(code, "secret words");
      await using registry = await openTestRegistry({
        log: { write: (line) => void log.push(line) },
        wrapStore: (store) => ({ ...store, db: store.db, transaction: () => Promise.reject(outage) }),
      });

      const answer = await openBrowser(registry).submit("/oauth/access_token", { code: "CODE" });

      expect(answer).toMatchObject({
        status: 503,
        headers: { "retry-after": String(retryAfterSeconds), "cache-control": "no-store" },
        body: { error: "temporarily_unavailable", error_description: expect.not.stringContaining("secret") },
      });
      expect(log.filter((line) => line.includes("request_failed"))).toEqual([]);
    },
  );

  const postgres = testEngines.find(({ name }) => name === "PostgreSQL");

  it.skipIf(postgres?.skip !== undefined)("answers 503 while PostgreSQL is away", async () => {
    await using database = await (postgres as TestEngine).create();
    const address = new URL(database.location);
    await using relay = await startRelay(Number(address.port));
    address.port = String(relay.port);
    const create = async () => ({ location: address.href, [Symbol.asyncDispose]: async () => {} });
    await using registry = await openTestRegistry({ engine: { name: "a relay", shared: true, create } });
    const ask = () => openBrowser(registry).submit("/oauth/access_token", { grant_type: "authorization_code" });

    relay.cut();
    const meanwhile = await ask();
    relay.restore();

    expect(meanwhile).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
      body: { error: "temporarily_unavailable" },
    });
    expect(await ask()).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  it("keeps the code of another application from being exchanged", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;
    const code = (await allow(alice, asks)).searchParams.get("code") ?? "";
    const { body: other } = await alice.call("POST", "/organization/acme/applications", {
      name: "other",
      redirect_uri: redirectUri,
    });
    const { client_id, client_secret } = other;
    const exchange = { ...asks, grant_type: "authorization_code", code, client_id, client_secret };

    expect((await openBrowser(registry).submit("/oauth/access_token", exchange)).body).toEqual({
      error: "invalid_grant",
    });
  });

  const verifier = "v".repeat(43);
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");

  it.each([
    { what: "its verifier", challenge: { code_challenge, code_challenge_method: "S256" }, verifier, status: 200 },
    {
      what: "no verifier",
      challenge: { code_challenge, code_challenge_method: "S256" },
      verifier: undefined,
      status: 400,
    },
    {
      what: "another verifier",
      challenge: { code_challenge, code_challenge_method: "S256" },
      verifier: "w".repeat(43),
      status: 400,
    },
    { what: "a verifier and no challenge", challenge: {}, verifier, status: 400 },
  ])("exchanges a code of PKCE with $what: $status", async ({ challenge, verifier: code_verifier, status }) => {
    const { registry, alice, asks, secret } = await openApplication();
    await using _ = registry;
    const code = (await allow(alice, withoutUndefined({ ...asks, ...challenge }))).searchParams.get("code") ?? "";
    const exchange = { ...asks, grant_type: "authorization_code", client_secret: secret, code };

    const answer = await openBrowser(registry).submit("/oauth/access_token", {
      ...exchange,
      ...(code_verifier && { code_verifier }),
    });

    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual({ error: "invalid_grant" });
  });

  it.each([
    { code_challenge, code_challenge_method: "plain" },
    { code_challenge },
    { code_challenge: "short", code_challenge_method: "S256" },
  ])("refuses a challenge that does not protect the user: %j", async (challenge) => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;

    const opened = await alice.open(authorizePath(withoutUndefined({ ...asks, ...challenge })));
    const allowed = await allow(alice, withoutUndefined({ ...asks, ...challenge }));

    for (const { searchParams } of [new URL(String(opened.headers.location)), allowed]) {
      expect([searchParams.get("error"), searchParams.get("state")]).toEqual(["invalid_request", "s&1"]);
    }
  });

  it.each([
    { what: "a program whose Basic credentials are wrong", status: 401, error: "invalid_client" },
    { what: "a form of JSON", type: "application/json", status: 400, error: "invalid_request" },
    { what: "U+0000", payload: "code=%00", status: 400, error: "invalid_request" },
    { what: "a form too large", payload: `code=${"x".repeat(70_000)}`, status: 400, error: "invalid_request" },
  ])("answers $what as RFC 6749 says: $status $error", async ({ type, payload, status, error }) => {
    const { registry, asks } = await openApplication();
    await using _ = registry;
    const { client_id, scope } = asks;
    const form = { grant_type: "authorization_code", redirect_uri: redirectUri, scope, code: "CODE" };

    const answer = await registry.app.inject({
      method: "POST",
      url: "/oauth/access_token",
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:wrong`).toString("base64")}`,
        "content-type": type ?? "application/x-www-form-urlencoded",
      },
      payload: payload ?? new URLSearchParams(form).toString(),
    });

    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(answer.headers["www-authenticate"]).toBe(status === 401 ? 'Basic realm="oauth"' : undefined);
  });
});
