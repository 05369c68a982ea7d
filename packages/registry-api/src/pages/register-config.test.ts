import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../fixtures/test-browser.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("registerConfig", () => {
  it("tells consoles what the registry is and which parts are on, before a user signs in", async () => {
    const settings = { title: "Acme", contact: "admin@acme.example", host: "registry.acme.example" };
    const features = { anonymousAccess: false, builds: false };
    await using registry = await openTestRegistry({ settings, features });
    await registry.user("anna");

    const answer = await registry.app.inject({ url: "/config" });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    });
    expect(answer.json()).toMatchObject({
      config: {
        SERVER_HOSTNAME: "registry.acme.example",
        PREFERRED_URL_SCHEME: "http",
        REGISTRY_TITLE: "Acme",
        CONTACT_INFO: ["mailto:admin@acme.example"],
        DEFAULT_TAG_EXPIRATION: "2w",
        TAG_EXPIRATION_OPTIONS: ["0s", "1d", "1w", "2w", "4w"],
        FRESH_LOGIN_TIMEOUT: "10m",
      },
      features: { ANONYMOUS_ACCESS: false, BUILD_SUPPORT: false, MAILING: false, SUPER_USERS: true, ROBOTS: true },
      registry_state: "normal",
      external_login: [],
    });
    expect(answer.body).not.toMatch(/\broot\b|auditor/);
  });

  it("names superusers while there is no user who could be one", async () => {
    await using registry = await openTestRegistry({ settings: { superusers: ["root"] } });
    const firstUser = async () => (await registry.app.inject({ url: "/config" })).json().first_user;

    expect(await firstUser()).toEqual({ superusers: ["root"] });
    await registry.user("anna");
    expect(await firstUser()).toBeUndefined();
  });

  it("asks for no first user where visitors may not make one", async () => {
    await using registry = await openTestRegistry({ features: { userInitialize: false } });

    expect((await registry.app.inject({ url: "/config" })).json()).not.toHaveProperty("first_user");
  });

  it("says whether somebody has signed in with the browser", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);
    const isSignedIn = async () => (await browser.open("/config")).body.signed_in;

    const before = await isSignedIn();
    await browser.signIn("alice");
    const during = await isSignedIn();
    await browser.call("POST", "/signout");

    expect([before, during, await isSignedIn()]).toEqual([false, true, false]);
  });

  it("says that the registry is read-only, and that there is mail", async () => {
    const ports = { mailer: { send: async () => {} } };
    await using registry = await openTestRegistry({ settings: { readOnly: true }, ports });

    const answer = await registry.app.inject({ url: "/config" });

    expect(answer.json()).toMatchObject({ registry_state: "readonly", features: { MAILING: true } });
  });
});
