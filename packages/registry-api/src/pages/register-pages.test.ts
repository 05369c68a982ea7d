import { withoutUndefined } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import { openApplication, redirectUri } from "../fixtures/test-application.ts";
import { testPassword } from "../fixtures/test-browser.ts";
import { linksOf, openPerson, type SeenPage } from "../fixtures/test-pages.ts";

/** Alice, on the page where the application asks her for a token. */
async function openWorld(...given: Parameters<typeof openApplication>) {
  const world = await openApplication(...given);
  const person = openPerson(world.registry);
  const query = new URLSearchParams({ ...world.asks, response_type: "token" });
  const signIn = await person.open(`/oauth/authorize?${query}`);
  const page = await person.send(signIn, "/signin", { username: "alice", password: testPassword });
  return { ...world, person, page };
}

const assign = "/oauth/authorize/assignuser";

describe("registerAssignPage", () => {
  it("asks another user, who grants the token as themselves and is asked no longer", async () => {
    const { registry, bob, asks, person, page } = await openWorld();
    await using _ = registry;

    const asked = await person.send(page, assign, { username: "bob" });
    const again = await person.send(page, assign, { username: "bob" });
    const { body: notified } = await bob.call("GET", "/user/notifications");
    const { body: listed } = await bob.call("GET", "/user/assignedauthorization");
    const [{ uuid }] = listed.authorizations;
    const bobs = openPerson(registry);
    bobs.cookie = bob.cookie;
    const [link = ""] = linksOf(await bobs.open("/signin"));
    const consent = await bobs.open(link);
    const back = await bobs.send(consent, "/oauth/authorizeapp");

    expect([asked.status, again.status]).toEqual([200, 200]);
    expect(asked.html).toContain("<p>bob is asked to let &lt;App&gt; act for them.</p>");
    expect(notified.notifications).toMatchObject([
      { kind: "assigned_authorization", metadata: { uuid, username: "alice", application: "<App>", org: "acme" } },
    ]);
    expect(listed.authorizations).toMatchObject([
      {
        application: { name: "<App>", clientId: asks.client_id, organization: { name: "acme" } },
        scopes: [{ scope: "repo:read" }, { scope: "user:admin" }],
        redirectUri,
        responseType: "token",
      },
    ]);
    expect(consent.html).not.toContain(assign);
    const token = new URLSearchParams(new URL(back.address).hash.slice(1)).get("access_token");
    const headers = { authorization: `Bearer ${token}` };
    expect((await registry.app.inject({ url: "/api/v1/user/", headers })).json()).toMatchObject({ username: "bob" });
    expect((await bob.call("GET", "/user/assignedauthorization")).body.authorizations).toEqual([]);
    expect((await bob.call("GET", "/user/notifications")).body.notifications).toEqual([]);
    expect((await bobs.open(link)).status).toBe(403);
    expect(linksOf(await bobs.open("/signin"))).toEqual([]);
    const logged = (await registry.usageLog()).filter(({ kind }) => kind === "oauth_token_assigned");
    expect(logged).toEqual([
      {
        kind: "oauth_token_assigned",
        metadata: { assigning_user: "alice", assigned_user: "bob", application: "<App>", client_id: asks.client_id },
      },
    ]);
  });

  it.each([
    { what: "an unknown user", typed: { username: "nobody" }, status: 404 },
    { what: "an organization", typed: { username: "acme" }, status: 404 },
    { what: "a code", typed: { username: "bob", response_type: "code" }, status: 400 },
    { what: "another address", typed: { username: "bob", redirect_uri: "https://evil.example/" }, status: 400 },
    { what: "no CSRF token", typed: { username: "bob", _csrf_token: "" }, status: 403 },
  ])("refuses $what: $status", async ({ typed, status }) => {
    const { registry, person, page } = await openWorld();
    await using _ = registry;

    expect((await person.send(page, assign, withoutUndefined(typed))).status).toBe(status);
    expect(await registry.store.db.selectFrom("oauth_assignment").select("id").execute()).toEqual([]);
  });

  it("is for admins of the organization", async () => {
    const { registry, bob, asks } = await openWorld();
    await using _ = registry;
    const fields = { ...asks, response_type: "token", username: "alice", _csrf_token: bob.csrfToken ?? "" };

    expect((await bob.submit(assign, fields)).status).toBe(403);
  });

  /** What Bob may open once he was asked. */
  const differences = [
    { what: "as it was asked", other: {}, status: 200 },
    { what: "with more scopes", other: { scope: "repo:read user:admin org:admin" }, status: 403 },
    { what: "with fewer scopes", other: { scope: "repo:read" }, status: 403 },
    { what: "to another address", other: { redirect_uri: `${redirectUri}/else` }, status: 403 },
    { what: "by an unknown id", other: { assignment_uuid: "x" }, status: 403 },
    { what: "by no id", other: { assignment_uuid: "" }, status: 403 },
    { what: "for a code", other: { response_type: "code" }, status: 400 },
  ];

  it("lets the user grant exactly what was asked", async () => {
    const { registry, bob, asks, person, page } = await openWorld();
    await using _ = registry;
    await person.send(page, assign, { username: "bob" });
    const { authorizations } = (await bob.call("GET", "/user/assignedauthorization")).body;
    const fields = { ...asks, response_type: "token", assignment_uuid: authorizations[0].uuid as string };
    const open = async (browser: typeof bob, other: object) =>
      (await browser.open(`/oauth/authorize?${new URLSearchParams({ ...fields, ...other })}`)).status;

    for (const { what, other, status } of differences) expect([what, await open(bob, other)]).toEqual([what, status]);
  });

  it("is withdrawn by the user, and goes with the application", async () => {
    const { registry, alice, bob, asks, person, page } = await openWorld();
    await using _ = registry;
    const waiting = async () => [
      (await bob.call("GET", "/user/assignedauthorization")).body.authorizations.length,
      (await bob.call("GET", "/user/notifications")).body.notifications.length,
    ];
    const ask = (from: SeenPage) => person.send(from, assign, { username: "bob" });
    await ask(page);
    const { authorizations } = (await bob.call("GET", "/user/assignedauthorization")).body;
    const path = `/user/assignedauthorization/${authorizations[0].uuid}`;

    const notTheirs = await alice.call("DELETE", path);
    const withdrawn = await bob.call("DELETE", path);
    const afterwards = await waiting();
    const again = await bob.call("DELETE", path);
    await ask(page);
    const before = await waiting();
    await alice.call("DELETE", `/organization/acme/applications/${asks.client_id}`);

    expect([notTheirs.status, withdrawn.status, again.status]).toEqual([404, 204, 404]);
    expect([afterwards, before, await waiting()]).toEqual([
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
  });

  it("is not offered where the feature is off", async () => {
    const { registry, bob, page } = await openWorld({}, { features: { oauthAssignments: false } });
    await using _ = registry;

    expect(page.html).not.toContain(assign);
    expect((await bob.submit(assign, {})).status).toBe(404);
    expect((await bob.call("GET", "/user/assignedauthorization")).status).toBe(404);
  });
});
