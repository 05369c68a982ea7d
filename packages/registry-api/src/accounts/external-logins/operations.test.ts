import { type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../../fixtures/test-browser.ts";
import { providerOf } from "../../fixtures/test-provider.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

let server: OidcServer;
beforeAll(async () => {
  server = await startOidcServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function open() {
  const registry = await openTestRegistry({ ports: { identityProviders: [providerOf(server)] } });
  const alice = await userWithPassword(registry, "alice");
  return { registry, alice, browser: openBrowser(registry) };
}

describe("externalLoginOperations", () => {
  it("attach a login through the API, show it, and detach it", async () => {
    const { registry, browser } = await open();
    await using _ = registry;
    await browser.signIn("alice");

    const begun = await browser.call("POST", "/externallogin/corp", { kind: "attach" });
    const back = new URL(await server.agree(begun.body.auth_url));
    await browser.open(`${back.pathname}${back.search}`);
    const shown = await browser.call("GET", "/user/");
    const detached = await browser.call("POST", "/detachexternal/corp");
    const again = await browser.call("POST", "/detachexternal/corp");

    expect(new URL(begun.body.auth_url).searchParams.get("redirect_uri")).toMatch(/\/oauth2\/corp\/callback$/);
    expect(shown.body.logins).toEqual([{ service: "corp", service_identifier: "person-1", metadata: {} }]);
    expect([begun.status, detached.status, again.status]).toEqual([200, 200, 404]);
  });

  it("sign in through the API", async () => {
    const { registry, browser } = await open();
    await using _ = registry;
    browser.csrfToken = (await browser.open("/csrf_token")).body.csrf_token;
    server.person = { sub: "zoe-1", preferred_username: "zoe" };

    const begun = await browser.call("POST", "/externallogin/corp", { kind: "login" });
    const back = new URL(await server.agree(begun.body.auth_url));
    const answer = await browser.open(`${back.pathname}${back.search}`);

    expect([answer.status, answer.headers.location]).toEqual([302, "/signin"]);
    expect((await browser.call("GET", "/user/")).body).toMatchObject({ username: "zoe", has_password_set: false });
  });

  it.each([
    { what: "an unknown provider", path: "/externallogin/none", body: { kind: "login" }, status: 404 },
    { what: "an unknown kind", path: "/externallogin/corp", body: { kind: "cli" }, status: 400 },
    { what: "a login that there is not", path: "/detachexternal/corp", body: undefined, status: 404 },
  ])("refuse $what", async ({ path, body, status }) => {
    const { registry, browser } = await open();
    await using _ = registry;
    await browser.signIn("alice");

    expect((await browser.call("POST", path, body)).status).toBe(status);
  });

  it("refuse programs, which have no browser, and attaching without a fresh sign-in", async () => {
    const { registry, alice, browser } = await open();
    await using _ = registry;
    const program = await registry.token(alice, "user:admin");
    await browser.signIn("alice");
    registry.time.now += 11 * 60_000;

    const ofProgram = await program("POST", "/externallogin/corp", { kind: "login" });
    const stale = await browser.call("POST", "/externallogin/corp", { kind: "attach" });

    expect([ofProgram.status, stale.status, stale.body.error_type]).toEqual([403, 401, "fresh_login_required"]);
  });
});
