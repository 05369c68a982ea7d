import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "accounts used by many at once on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("leave an organization one of two admins who delete themselves", async () => {
      await using registry = await openTestRegistry({ engine });
      const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
      await registry.organization("acme", { admin: [alice, bob] });
      const sessions = [await registry.session(alice), await registry.session(bob)];

      const answers = await Promise.all(sessions.map((session) => session("DELETE", "/user/")));

      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    });

    it.skipIf(engine.skip)("give one name and one address to one of many who sign up", async () => {
      await using registry = await openTestRegistry({ engine });
      const signUp = (username: string, email: string) =>
        registry.anonymous("POST", "/user/", { username, email, password: "long-enough" });

      const sameName = await Promise.all([1, 2, 3].map((each) => signUp("dora", `dora${each}@example.com`)));
      const sameAddress = await Promise.all([1, 2, 3].map((each) => signUp(`eve${each}`, "eve@example.com")));

      expect(sameName.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      expect(sameAddress.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    });

    it.skipIf(engine.skip)("exchange a code once, however often it is sent at once", async () => {
      await using registry = await openTestRegistry({ engine });
      const alice = await userWithPassword(registry, "alice");
      await registry.organization("acme", { admin: [alice] });
      const browser = openBrowser(registry);
      await browser.signIn("alice");
      const redirect_uri = "https://app.example.com/back";
      const { body } = await browser.call("POST", "/organization/acme/applications", { name: "app", redirect_uri });
      const asks = { client_id: body.client_id, redirect_uri, scope: "repo:read" };
      const allowed = await browser.submit("/oauth/authorizeapp", { ...asks, _csrf_token: browser.csrfToken ?? "" });
      const code = new URL(String(allowed.headers.location)).searchParams.get("code") ?? "";
      const exchange = { ...asks, grant_type: "authorization_code", client_secret: body.client_secret, code };

      const answers = await Promise.all(
        Array.from({ length: 8 }, () => openBrowser(registry).submit("/oauth/access_token", exchange)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    });
  },
);
