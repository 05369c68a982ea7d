import { engineTitle, type OidcServer, startOidcServer, type TestEngine, testEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testPassword, userWithPassword } from "../fixtures/test-browser.ts";
import { linksOf } from "../fixtures/test-pages.ts";
import { openOutsidePerson, providerOf } from "../fixtures/test-provider.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";

let server: OidcServer;
beforeAll(async () => {
  server = await startOidcServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.hasEndSession = true;
});

async function open(engine: TestEngine) {
  const settings = { logSignIns: true };
  const registry = await openTestRegistry({ engine, settings, ports: { identityProviders: [providerOf(server)] } });
  registry.time.now = Date.now();
  let count = 0;
  return {
    registry,
    /** A browser whose user has signed in with a session of the provider. */
    async signIn(sub: string, sid?: string) {
      server.person = { sub, preferred_username: sub, sid };
      const opened = openOutsidePerson(registry, server);
      await opened.signIn();
      return opened.person;
    },
    async tell(claims: object, service = "corp") {
      const token = await server.issue({ aud: server.clientId, jti: `${++count}`, events: { [event]: {} }, ...claims });
      const send = () =>
        registry.app.inject({
          method: "POST",
          url: `/oauth2/${service}/backchannel-logout`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          payload: new URLSearchParams({ logout_token: token }).toString(),
        });
      const answer = await send();
      return { status: answer.statusCode, caching: answer.headers["cache-control"], again: send };
    },
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

type Person = Awaited<ReturnType<Awaited<ReturnType<typeof open>>["signIn"]>>;

async function isSignedIn(person: Person): Promise<boolean> {
  return (await person.open("/signin")).html.includes("signed in as");
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "signing out of an identity provider on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("ends the sessions here that began with a session there", async () => {
      await using world = await open(engine);
      const [one, two, other] = [
        await world.signIn("zoe", "s-1"),
        await world.signIn("zoe", "s-2"),
        await world.signIn("max", "s-3"),
      ];
      const seen = () => Promise.all([one, two, other].map(isSignedIn));

      const told = await world.tell({ sub: "zoe", sid: "s-1" });

      expect(told).toMatchObject({ status: 200, caching: "no-store" });
      expect(await seen()).toEqual([false, true, true]);
      expect((await world.tell({ sid: "s-3" })).status).toBe(200);
      expect(await seen()).toEqual([false, true, false]);
      const kinds = (await world.registry.usageLog()).filter(({ kind }) => kind === "logout_success");
      expect(kinds).toMatchObject([{ metadata: { service: "corp" } }, { metadata: { service: "corp" } }]);
    });

    test("ends all that a user began with the provider, and no session that began with a password", async () => {
      await using world = await open(engine);
      const [one, two, other] = [
        await world.signIn("zoe", "s-1"),
        await world.signIn("zoe"),
        await world.signIn("max"),
      ];
      await userWithPassword(world.registry, "alice");
      const { person } = openOutsidePerson(world.registry, server);
      await person.send(await person.open("/signin"), "/signin", { username: "alice", password: testPassword });

      expect((await world.tell({ sub: "zoe" })).status).toBe(200);

      expect(await Promise.all([one, two, other, person].map(isSignedIn))).toEqual([false, false, true, true]);
    });

    test("takes a token once, and none that is of another provider or for another session of a user", async () => {
      await using world = await open(engine);
      const first = await world.signIn("zoe", "s-1");
      const told = await world.tell({ sub: "zoe", sid: "s-1" });
      const second = await world.signIn("zoe", "s-1");

      expect([told.status, (await told.again()).statusCode]).toEqual([200, 400]);
      expect((await world.tell({ sub: "max", sid: "s-1" })).status).toBe(200);
      expect((await world.tell({ sub: "zoe" }, "other")).status).toBe(404);
      expect((await world.tell({ sub: "zoe", aud: "another" })).status).toBe(400);
      expect(await Promise.all([first, second].map(isSignedIn))).toEqual([false, true]);
    });

    test("leads there from the page and from the API, where the provider has a page for it", async () => {
      await using world = await open(engine);
      const person = await world.signIn("zoe", "s-1");

      const out = await person.send(await person.open("/signin"), "/signout");

      const address = linksOf(out)
        .map((link) => link.replaceAll("&amp;", "&"))
        .find((link) => link.includes("/logout"));
      const { origin, pathname, searchParams } = new URL(address ?? "");
      expect(out.html).toContain("Sign out of Corp too");
      expect(origin + pathname).toBe(`${server.issuer}/logout`);
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: server.clientId,
        post_logout_redirect_uri: "http://localhost/signin",
        id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      });
      expect(await isSignedIn(person)).toBe(false);
    });

    test("is not offered where the session began with a password, or the provider has no page for it", async () => {
      await using world = await open(engine);
      await userWithPassword(world.registry, "alice");
      const { person } = openOutsidePerson(world.registry, server);
      await person.send(await person.open("/signin"), "/signin", { username: "alice", password: testPassword });

      const out = await person.send(await person.open("/signin"), "/signout");

      expect(out.html).toContain("You are signed out");
      expect(out.html).not.toContain("Sign out of Corp too");
    });
  },
);
