import { describe, expect, it } from "vitest";
import { allow, authorizePath, openApplication, redirectUri } from "../fixtures/test-application.ts";
import { openBrowser } from "../fixtures/test-browser.ts";

const ownPage = "http://localhost/oauth/localapp";

describe("registerOAuthPages", () => {
  it("asks the user, in a page that escapes what the application says and that cannot be framed", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;

    const page = await alice.open(authorizePath(asks));

    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(page.body).toContain("<strong>&lt;App&gt;</strong> of <strong>acme</strong> asks to act for alice");
    expect(page.body).toContain("a &amp; b");
    expect(page.body).toContain('name="state" value="s&amp;1"');
    expect(page.body).toContain("Administer User");
    expect(page.body).not.toContain("<App>");
  });

  it("tells a program what the page says", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;

    const { status, body } = await alice.open(authorizePath({ ...asks, format: "json" }));

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
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;
    const implicit = { ...asks, response_type: "token" };

    const location = await allow(alice, implicit);
    const again = await alice.open(authorizePath({ ...implicit, scope: "repo:read" }));
    const wider = await alice.open(authorizePath({ ...implicit, scope: "org:admin" }));

    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get("access_token") ?? "";
    expect(`${location.origin}${location.pathname}`).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({ scope: "repo:read user:admin", state: "s&1" });
    expect(Object.fromEntries(fragment)).toEqual({
      access_token: token,
      token_type: "Bearer",
      expires_in: "315576000",
      state: "s&1",
    });
    const headers = { authorization: `Bearer ${token}` };
    expect((await registry.app.inject({ url: "/api/v1/user/", headers })).json()).toMatchObject({ username: "alice" });
    expect(again).toMatchObject({ status: 302, headers: { location: expect.stringContaining("#access_token=") } });
    expect(wider.status).toBe(200);
    const kept = await registry.store.db.selectFrom("oauth_token").selectAll().execute();
    expect(JSON.stringify([kept, await registry.usageLog()])).not.toContain(token);
  });

  it("gives no token while the registry is read-only, whatever was allowed before", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;
    const implicit = { ...asks, response_type: "token" };
    await allow(alice, implicit);
    Object.assign(registry.settings, { readOnly: true });

    const again = await alice.open(authorizePath(implicit));

    expect(again.status).toBe(503);
    expect(await registry.store.db.selectFrom("oauth_token").select("id").execute()).toHaveLength(1);
  });

  it("shows a token on the registry's own page, without telling the server", async () => {
    const { registry, alice, asks } = await openApplication({ redirect_uri: "" });
    await using _ = registry;

    const location = await allow(alice, { ...asks, redirect_uri: ownPage, response_type: "token" });
    const page = await alice.open(`${location.pathname}${location.search}`);
    const canceled = await alice.open("/oauth/localapp");

    expect(location.href).toMatch(/^http:\/\/localhost\/oauth\/localapp\?scope=.*#access_token=/);
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toMatch(/script-src 'sha256-/);
    expect(canceled.body).toContain("Authorization canceled");
  });

  it.each([
    { why: "an anonymous request", who: "anonymous", other: {}, status: 401 },
    { why: "a member of the organization", who: "bob", other: {}, status: 403 },
    { why: "an unknown application", who: "alice", other: { client_id: "CLIENT" }, status: 404 },
    { why: "an application with a zero in it", who: "alice", other: { client_id: "\u0000" }, status: 400 },
    { why: "an unknown scope", who: "alice", other: { scope: "everything" }, status: 404 },
    { why: "no scope", who: "alice", other: { scope: "" }, status: 400 },
    { why: "no address", who: "alice", other: { redirect_uri: "" }, status: 400 },
  ])("answers $status to $why", async ({ who, other, status }) => {
    const { registry, alice, bob, asks } = await openApplication();
    await using _ = registry;
    const browser = { alice, bob, anonymous: openBrowser(registry) }[who] ?? alice;
    const fields = { ...asks, ...other, _csrf_token: browser.csrfToken ?? "" };

    expect((await browser.open(authorizePath({ ...asks, ...other }))).status).toBe(status);
    expect((await browser.submit("/oauth/authorizeapp", fields)).status).toBe(status);
    expect((await browser.submit("/oauth/denyapp", fields)).status).toBe(status);
  });

  it("redirects to no address that the application has not registered", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;
    const evil = { ...asks, redirect_uri: "https://evil.example/back" };
    const form = { ...evil, _csrf_token: alice.csrfToken ?? "" };

    const opened = await alice.open(authorizePath(evil));
    const allowed = await alice.submit("/oauth/authorizeapp", form);
    const denied = await alice.submit("/oauth/denyapp", form);

    expect(opened).toMatchObject({ status: 302, headers: { location: `${redirectUri}?error=redirect_uri_mismatch` } });
    expect([allowed.status, denied.status]).toEqual([400, 400]);
    expect(allowed.headers.location).toBeUndefined();
  });

  it("does not redirect if no valid address is registered", async () => {
    const { registry, alice, asks } = await openApplication({ redirect_uri: "" });
    await using _ = registry;
    const redirect_uri = "javascript:alert(1)"; // as older versions registered it
    await registry.store.db.updateTable("oauth_application").set({ redirect_uri }).execute();

    expect((await alice.open(authorizePath({ ...asks, redirect_uri }))).status).toBe(400);
  });

  it.each([
    { what: "the CSRF token of another session", token: "bob" },
    { what: "no CSRF token", token: undefined },
  ])("takes no form with $what", async ({ token }) => {
    const { registry, alice, bob, asks } = await openApplication();
    await using _ = registry;
    const form = { ...asks, response_type: "token", ...(token && { _csrf_token: bob.csrfToken ?? "" }) };

    expect((await alice.submit("/oauth/authorizeapp", form)).status).toBe(403);
    expect((await alice.submit("/oauth/denyapp", form)).status).toBe(403);
    expect(await registry.store.db.selectFrom("oauth_token").select("id").execute()).toEqual([]);
  });

  it("reports to the application that the user refused, or that its request is invalid", async () => {
    const { registry, alice, asks } = await openApplication();
    await using _ = registry;

    const denied = await alice.submit("/oauth/denyapp", { ...asks, _csrf_token: alice.csrfToken ?? "" });
    const unknownType = await alice.open(authorizePath({ ...asks, response_type: "password" }));

    const deniedToken = await alice.submit("/oauth/denyapp", {
      ...asks,
      response_type: "token",
      _csrf_token: alice.csrfToken ?? "",
    });

    const told = "error=access_denied&state=s%261";
    expect(deniedToken.headers.location).toBe(`${redirectUri}?${told}#${told}`);
    expect(denied.headers.location).toBe(`${redirectUri}?error=access_denied&state=s%261`);
    expect(unknownType.headers.location).toBe(`${redirectUri}?error=unsupported_response_type&state=s%261`);
  });

  it("sends errors as a page to browsers", async () => {
    const { registry, alice } = await openApplication();
    await using _ = registry;
    const headers = { accept: "text/html,*/*", cookie: alice.cookie ?? "" };

    const answer = await registry.app.inject({ url: "/oauth/authorize?client_id=X", headers });

    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("Required param: redirect_uri");
  });
});
