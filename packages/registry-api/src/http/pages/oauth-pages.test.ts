import { describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const redirect_uri = "https://app.example.com/back";
const ownPage = "http://localhost/oauth/localapp";

/** Alice, who administers `acme` and its application, and is signed in; Bob, who is a member of `acme`. */
async function openWorld(details: object = { name: "<App>", redirect_uri, description: "a & b" }) {
  const registry = await openTestRegistry();
  const [account, member] = [await userWithPassword(registry, "alice"), await userWithPassword(registry, "bob")];
  await registry.organization("acme", { admin: [account], member: [member] });
  const alice = openBrowser(registry);
  await alice.signIn("alice");
  const { body } = await alice.call("POST", "/organization/acme/applications", details);
  const bob = openBrowser(registry);
  await bob.signIn("bob");
  const asks = { client_id: body.client_id as string, redirect_uri, scope: "repo:read user:admin", state: "s&1" };
  return { registry, alice, bob, asks, secret: body.client_secret as string };
}

const authorize = (fields: Readonly<Record<string, string>>) => `/oauth/authorize?${new URLSearchParams(fields)}`;

/** Allows what is asked. @returns where the browser is sent */
async function allow(browser: TestBrowser, fields: Readonly<Record<string, string>>): Promise<URL> {
  const answer = await browser.submit("/oauth/authorizeapp", { ...fields, _csrf_token: browser.csrfToken ?? "" });
  expect(answer.status).toBe(302);
  return new URL(String(answer.headers.location));
}

describe("registerOAuthPages", () => {
  it("asks the user, in a page that escapes what the application says and that nobody frames", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;

    const page = await alice.open(authorize(asks));

    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(page.body).toContain("&lt;App&gt; of acme asks to act for alice");
    expect(page.body).toContain("a &amp; b");
    expect(page.body).toContain('name="state" value="s&amp;1"');
    expect(page.body).toContain("Administer User");
    expect(page.body).not.toContain("<App>");
  });

  it("tells a program what the page says", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;

    const { status, body } = await alice.open(authorize({ ...asks, format: "json" }));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      scopes: [{ scope: "repo:read" }, { scope: "user:admin", dangerous: true }],
      has_dangerous_scopes: true,
      application: { name: "<App>", organization: { name: "acme" } },
      response_type: "code",
      csrf_token_val: alice.csrfToken,
      state: "s&1",
    });
  });

  it("gives a token in the fragment, and the next time without asking", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;
    const implicit = { ...asks, response_type: "token" };

    const location = await allow(alice, implicit);
    const again = await alice.open(authorize({ ...implicit, scope: "repo:read" }));
    const wider = await alice.open(authorize({ ...implicit, scope: "org:admin" }));

    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get("access_token") ?? "";
    expect(`${location.origin}${location.pathname}`).toBe(redirect_uri);
    expect(Object.fromEntries(location.searchParams)).toEqual({ scope: "repo:read user:admin", state: "s&1" });
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: token,
      token_type: "Bearer",
      expires_in: "315576000",
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await registry.app.inject({ url: "/api/v1/user/", headers })).json()).toMatchObject({ username: "alice" });
    expect(again).toMatchObject({ status: 302, headers: { location: expect.stringContaining("#access_token=") } });
    expect(wider.status).toBe(200);
    const kept = await registry.store.db.selectFrom("oauth_token").selectAll().execute();
    expect(JSON.stringify([kept, await registry.usageLog()])).not.toContain(token);
  });

  it("shows a token on the registry's own page, without telling the server", async () => {
    const { registry, alice, asks } = await openWorld({ name: "app" });
    await using _ = registry;

    const location = await allow(alice, { ...asks, redirect_uri: ownPage, response_type: "token" });
    const page = await alice.open(`${location.pathname}${location.search}`);
    const canceled = await alice.open("/oauth/localapp");

    expect(location.href).toMatch(/^http:\/\/localhost\/oauth\/localapp\?scope=.*#access_token=/);
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toMatch(/script-src 'sha256-/);
    expect(canceled.body).toContain("Authorization canceled");
  });

  it("exchanges a code for a token, once", async () => {
    const { registry, alice, asks, secret } = await openWorld();
    await using _ = registry;
    const location = await allow(alice, asks);
    const code = location.searchParams.get("code") ?? "";
    const { state: __, ...named } = asks;
    const exchange = { ...named, grant_type: "authorization_code", client_secret: secret, code };
    const program = openBrowser(registry);

    const answer = await program.submit("/oauth/access_token", exchange);
    const again = await program.submit("/oauth/access_token", exchange);

    expect(Object.fromEntries(location.searchParams)).toEqual({ code, state: "s&1" });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store", pragma: "no-cache" },
      body: { access_token: expect.any(String), token_type: "Bearer", expires_in: 315_576_000, refresh_token: null },
    });
    expect(again).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const headers = { authorization: `Bearer ${answer.body.access_token}` };
    expect((await registry.app.inject({ url: "/api/v1/user/", headers })).statusCode).toBe(200);
  });

  it("takes the client's secret as Basic credentials too", async () => {
    const { registry, alice, asks, secret } = await openWorld();
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
      payload: new URLSearchParams({ grant_type: "authorization_code", redirect_uri, scope, code }).toString(),
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
    { other: { redirect_uri: `${redirect_uri}/else` }, error: "invalid_grant" },
    { other: { scope: "repo:read" }, error: "invalid_scope" },
    { other: { scope: "everything" }, error: "invalid_scope" },
    { other: {}, later: 600_000, error: "invalid_grant" },
    { other: {}, disable: true, error: "invalid_grant" },
  ])("refuses to exchange a code with $other: $error", async ({ other, error, later = 0, disable }) => {
    const { registry, alice, asks, secret } = await openWorld();
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

  it("keeps the code of another application from being exchanged", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;
    const code = (await allow(alice, asks)).searchParams.get("code") ?? "";
    const { body: other } = await alice.call("POST", "/organization/acme/applications", {
      name: "other",
      redirect_uri,
    });
    const { client_id, client_secret } = other;
    const exchange = { ...asks, grant_type: "authorization_code", code, client_id, client_secret };

    expect((await openBrowser(registry).submit("/oauth/access_token", exchange)).body).toEqual({
      error: "invalid_grant",
    });
  });

  it.each([
    { why: "nobody", who: "nobody", other: {}, status: 401 },
    { why: "a member of the organization", who: "bob", other: {}, status: 403 },
    { why: "an unknown application", who: "alice", other: { client_id: "CLIENT" }, status: 404 },
    { why: "an application with a zero in it", who: "alice", other: { client_id: "\u0000" }, status: 400 },
    { why: "an unknown scope", who: "alice", other: { scope: "everything" }, status: 404 },
    { why: "no scope", who: "alice", other: { scope: "" }, status: 400 },
    { why: "no address", who: "alice", other: { redirect_uri: "" }, status: 400 },
  ])("answers $status to $why", async ({ who, other, status }) => {
    const { registry, alice, bob, asks } = await openWorld();
    await using _ = registry;
    const browser = { alice, bob, nobody: openBrowser(registry) }[who] ?? alice;
    const fields = { ...asks, ...other, _csrf_token: browser.csrfToken ?? "" };

    expect((await browser.open(authorize({ ...asks, ...other }))).status).toBe(status);
    expect((await browser.submit("/oauth/authorizeapp", fields)).status).toBe(status);
    expect((await browser.submit("/oauth/denyapp", fields)).status).toBe(status);
  });

  it("leads nowhere that the application has not registered", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;
    const evil = { ...asks, redirect_uri: "https://evil.example/back" };
    const form = { ...evil, _csrf_token: alice.csrfToken ?? "" };

    const opened = await alice.open(authorize(evil));
    const allowed = await alice.submit("/oauth/authorizeapp", form);
    const denied = await alice.submit("/oauth/denyapp", form);

    expect(opened).toMatchObject({ status: 302, headers: { location: `${redirect_uri}?error=redirect_uri_mismatch` } });
    expect([allowed.status, denied.status]).toEqual([400, 400]);
    expect(allowed.headers.location).toBeUndefined();
  });

  it("leads nowhere at all where nothing is registered", async () => {
    const { registry, alice, asks } = await openWorld({ name: "app", redirect_uri: "javascript:alert(1)" });
    await using _ = registry;

    expect((await alice.open(authorize({ ...asks, redirect_uri: "javascript:alert(1)" }))).status).toBe(400);
  });

  it.each([
    { what: "the CSRF token of another session", token: "bob" },
    { what: "no CSRF token", token: undefined },
  ])("takes no form with $what", async ({ token }) => {
    const { registry, alice, bob, asks } = await openWorld();
    await using _ = registry;
    const form = { ...asks, response_type: "token", ...(token && { _csrf_token: bob.csrfToken ?? "" }) };

    expect((await alice.submit("/oauth/authorizeapp", form)).status).toBe(403);
    expect((await alice.submit("/oauth/denyapp", form)).status).toBe(403);
    expect(await registry.store.db.selectFrom("oauth_token").select("id").execute()).toEqual([]);
  });

  it("tells the application what the user refused, and what it should not have asked", async () => {
    const { registry, alice, asks } = await openWorld();
    await using _ = registry;

    const denied = await alice.submit("/oauth/denyapp", { ...asks, _csrf_token: alice.csrfToken ?? "" });
    const unknownType = await alice.open(authorize({ ...asks, response_type: "password" }));

    expect(denied.headers.location).toBe(`${redirect_uri}?error=authorization_denied&state=s%261`);
    expect(unknownType.headers.location).toBe(`${redirect_uri}?error=unsupported_response_type&state=s%261`);
  });

  it("refuses in words people read where a browser asks", async () => {
    const { registry } = await openWorld();
    await using _ = registry;

    const answer = await registry.app.inject({ url: "/oauth/authorize", headers: { accept: "text/html,*/*" } });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("Sign in first");
  });
});
