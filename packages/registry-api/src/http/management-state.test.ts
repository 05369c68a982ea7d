import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../fixtures/test-browser.ts";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";

const changes = registryOperations
  .filter(({ method }) => method !== "GET")
  .map(({ id, method, path, whileReadOnly = false }) => ({ id, method, path, whileReadOnly }));
const refusal = { status: 503, title: "read_only", is_readonly: true, message: expect.stringContaining("read-only") };
const kid = "a".repeat(43);

describe("a registry that is read-only", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await openTestRegistry({ settings: { readOnly: true }, features: { builds: true, teamSync: true } });
    const alice = await userWithPassword(registry, "alice");
    await registry.organization("acme", { admin: [alice] });
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  it.each(changes.filter(({ whileReadOnly }) => !whileReadOnly))("refuses $id", async ({ method, path }) => {
    const answer = await registry.anonymous(method, path.replaceAll(/\{\w+\}/g, "acme"), {});

    expect(answer).toMatchObject({ status: 503, body: refusal });
  });

  it("excepts only operations that change who is signed in", () => {
    const spared = changes.filter(({ whileReadOnly }) => whileReadOnly).map(({ id }) => id);

    expect(spared).toEqual(["signinUser", "verifyUser", "logout", "retrieveExternalLoginAuthorizationUrl"]);
  });

  it("lets people sign in, read, and sign out", async () => {
    const browser = openBrowser(registry);
    const signedIn = await browser.signIn("alice");

    expect(signedIn.status).toBe(200);
    expect((await browser.call("GET", "/organization/acme/robots")).status).toBe(200);
    expect((await browser.call("DELETE", "/organization/acme")).body).toMatchObject(refusal);
    expect((await browser.call("POST", "/signout")).status).toBe(200);
  });

  it("tells first that a token is not valid", async () => {
    const headers = { authorization: "Bearer x" };

    const answer = await registry.app.inject({ method: "DELETE", url: "/api/v1/organization/acme", headers });

    expect([answer.statusCode, answer.json().title]).toEqual([401, "invalid_token"]);
  });

  it.each([
    { method: "PUT", url: `/keys/services/scanner/keys/${kid}`, status: 503, body: refusal },
    { method: "DELETE", url: `/keys/services/scanner/keys/${kid}`, status: 503, body: refusal },
    { method: "GET", url: "/keys/services/scanner/keys", status: 200, body: { keys: [] } },
    { method: "HEAD", url: "/keys/services/scanner/keys", status: 200, body: undefined },
    { method: "POST", url: "/oauth/authorizeapp", status: 503, body: { error: refusal.message } },
    { method: "POST", url: "/confirminvite", status: 503, body: { error: refusal.message } },
    { method: "POST", url: "/oauth/access_token", status: 503, body: { error: "temporarily_unavailable" } },
    { method: "POST", url: "/signout", status: 403, body: {} },
  ] as const)("answers $method $url with $status", async ({ method, url, status, body }) => {
    const answer = await registry.app.inject({ method, url });

    expect(answer.statusCode).toBe(status);
    if (body !== undefined) expect(answer.json()).toMatchObject(body);
  });
});
