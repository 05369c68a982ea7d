import type { OidcOptions } from "@plimsoll/registry-adapters/oidc";
import { type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { spendGuesses } from "../fixtures/spend-guesses.ts";
import { openBrowser, testPassword, userWithPassword } from "../fixtures/test-browser.ts";
import { linksOf } from "../fixtures/test-pages.ts";
import { openOutsidePerson, providerOf } from "../fixtures/test-provider.ts";
import { openTestRegistry, type TestRegistryOptions } from "../fixtures/test-registry.ts";

let server: OidcServer;
beforeAll(async () => {
  server = await startOidcServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.person = { sub: "zoe-1", preferred_username: "Zoe", email: "zoe@example.com", email_verified: true };
  server.moreOfPerson = {};
  server.fault = undefined;
});

async function open(provider: Partial<OidcOptions> = {}, options: TestRegistryOptions = {}) {
  const identityProviders = [providerOf(server, provider)];
  const registry = await openTestRegistry({ ...options, ports: { identityProviders, ...options.ports } });
  return { registry, ...openOutsidePerson(registry, server) };
}

const right = { username: "alice", password: testPassword };

describe("signing in with an identity provider", () => {
  it("makes an account, and finds it again whatever the provider calls the user then", async () => {
    const { registry, person, comeBack } = await open();
    await using _ = registry;

    const page = await person.open("/signin?next=%2Fsignin%3Fa");
    const [link = ""] = linksOf(page);
    const first = await comeBack(await person.open(link));
    server.person = { sub: "zoe-1", preferred_username: "renamed" };
    const other = openOutsidePerson(registry, server);
    const second = await other.signIn();

    expect(page.html).toContain("Sign in with Corp");
    expect(first.address).toBe("/signin?a");
    expect(second.html).toContain("signed in as <strong>zoe</strong>");
    expect(await registry.store.db.selectFrom("account").select(["username", "email"]).execute()).toEqual([
      { username: "zoe", email: "zoe@example.com" },
    ]);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual([
      "user_create",
      "login_success",
      "login_success",
    ]);
  });

  it.each([
    { what: "the password of another user", claims: { preferred_username: "alice" } },
    { what: "an organization", claims: { preferred_username: "acme" } },
    { what: "a superuser of the settings", claims: { preferred_username: "root" } },
    { what: "no name that there can be", claims: { preferred_username: "_" } },
    { what: "no name at all", claims: {} },
  ])("asks for a name where the provider's is that of $what, and takes over nothing", async ({ claims }) => {
    const { registry, person, signIn } = await open();
    await using _ = registry;
    const alice = await userWithPassword(registry, "alice");
    await registry.organization("acme");
    server.person = { sub: "9", email: "alice@example.com", email_verified: true, ...claims };

    const asked = await signIn();
    const taken = await person.send(asked, "/oauth2/corp/name", { username: "alice" });
    const done = await person.send(taken, "/oauth2/corp/name", { username: "alice2" });

    expect([asked.status, taken.status]).toEqual([200, 400]);
    expect(asked.html).toContain("You have signed in with Corp, and have no account here yet");
    expect(taken.html).toContain("that name is taken");
    expect(done.html).toContain("signed in as <strong>alice2</strong>");
    const rows = await registry.store.db.selectFrom("external_login").selectAll().execute();
    expect(rows.map(({ account_id }) => account_id)).not.toContain(alice.id);
    const made = registry.store.db.selectFrom("account").select("email").where("username", "=", "alice2");
    expect(await made.execute()).toEqual([{ email: null }]);
  });

  it("makes no account where the provider's users get none, and says what to do", async () => {
    const { registry, signIn } = await open({ createsAccounts: false });
    await using _ = registry;

    const refused = await signIn();

    expect(refused.status).toBe(403);
    expect(refused.html).toContain("No account belongs to this login of Corp");
    expect(await registry.store.db.selectFrom("account").selectAll().execute()).toEqual([]);
  });

  it("gives the account the address and the names that the provider has now, unless another account has the address", async () => {
    const { registry, signIn } = await open();
    await using _ = registry;
    await userWithPassword(registry, "alice");
    await signIn();
    const zoe = () =>
      registry.store.db
        .selectFrom("account")
        .select(["email", "profile"])
        .where("username", "=", "zoe")
        .executeTakeFirst();
    const signInAs = async (claims: object) => {
      server.person = { sub: "zoe-1", ...claims };
      return (await openOutsidePerson(registry, server).signIn()).status;
    };

    const moved = [await signInAs({ email: "zoe@new.example", email_verified: true, given_name: "Zoe" }), await zoe()];
    const unverified = [await signInAs({ email: "x@new.example" }), await zoe()];
    const taken = [await signInAs({ email: "Alice@example.com", email_verified: true, family_name: "Z" }), await zoe()];

    const profile = JSON.stringify({ given_name: "Zoe" });
    expect(moved).toEqual([200, { email: "zoe@new.example", profile }]);
    expect(unverified).toEqual(moved);
    expect(taken).toEqual([200, { email: null, profile: JSON.stringify({ given_name: "Zoe", family_name: "Z" }) }]);
  });

  it("ends the wait for wrong passwords that others in its network have sent", async () => {
    const { registry, signIn } = await open();
    await using _ = registry;
    await signIn();
    await openBrowser(registry).signIn("zoe", "wrong-password");
    await spendGuesses(registry);

    const before = await openBrowser(registry).signIn("zoe", "another-password");
    await openOutsidePerson(registry, server).signIn();
    const after = await openBrowser(registry).signIn("zoe", "another-password");

    expect([before.status, after.status]).toEqual([429, 403]);
  });

  it("refuses a disabled user", async () => {
    const { registry, signIn } = await open();
    await using _ = registry;
    await signIn();
    await registry.store.db.updateTable("account").set({ enabled: 0 }).execute();

    const refused = await openOutsidePerson(registry, server).signIn();

    expect(refused.status).toBe(403);
    expect(refused.html).toContain("This user is disabled");
  });

  describe("writes refusals to the usage log", () => {
    const failures = async (registry: Awaited<ReturnType<typeof open>>["registry"]) => {
      const rows = await registry.store.db
        .selectFrom("usage_log")
        .selectAll()
        .where("kind", "=", "login_failure")
        .execute();
      return rows.map(({ namespace_id, ip, metadata }) => ({ namespace_id, ip, ...JSON.parse(metadata) }));
    };
    const shared = { type: "session", kind: "user", service: "corp", useragent: expect.any(String), ip: "127.0.0.1" };

    it.each([
      { why: "the user has cancelled", fault: "denied", message: "did not let you in" },
      { why: "the token is for another", fault: "wrong audience", message: "its answer could not be used" },
      { why: "the token is signed by another", fault: "another's signature", message: "its answer could not be used" },
      { why: "the provider does not answer", fault: "status 500", message: "its answer could not be used" },
    ] as const)("of nobody's namespace where $why", async ({ fault, message }) => {
      const { registry, person, comeBack } = await open({}, { settings: { logFailedSignIns: true } });
      await using _ = registry;
      const begun = await person.open("/oauth2/corp/login");
      server.fault = fault;

      await comeBack(begun);

      expect(await failures(registry)).toEqual([
        { ...shared, namespace_id: null, message: expect.stringContaining(message) },
      ]);
    });

    it("of the user's namespace where the account is disabled", async () => {
      const { registry, signIn } = await open({}, { settings: { logFailedSignIns: true } });
      await using _ = registry;
      await signIn();
      await registry.store.db.updateTable("account").set({ enabled: 0 }).execute();
      const { id } = await registry.store.db.selectFrom("account").select("id").executeTakeFirstOrThrow();

      await openOutsidePerson(registry, server).signIn();

      expect(await failures(registry)).toEqual([
        { ...shared, namespace_id: id, username: "zoe", message: "This user is disabled" },
      ]);
    });

    it("where users get no account, and not where the setting is off", async () => {
      for (const logFailedSignIns of [true, false]) {
        const { registry, signIn } = await open({ createsAccounts: false }, { settings: { logFailedSignIns } });
        await using _ = registry;

        await signIn();

        expect(await failures(registry)).toHaveLength(logFailedSignIns ? 1 : 0);
      }
    });

    it("but no browser that began no sign-in: everyone could fill the log", async () => {
      const { registry, person } = await open({}, { settings: { logFailedSignIns: true } });
      await using _ = registry;

      await person.open("/oauth2/corp/callback?code=1&state=2");

      expect(await failures(registry)).toEqual([]);
    });
  });

  it("takes back no browser but the one that began, in time", async () => {
    const { registry, person, comeBack } = await open();
    await using _ = registry;
    const stranger = openOutsidePerson(registry, server);
    await stranger.person.open("/signin");
    const begun = await person.open("/oauth2/corp/login");

    const stolen = await stranger.comeBack(begun);
    const withoutCookie = await openOutsidePerson(registry, server).comeBack(begun);
    registry.time.now += 15 * 60_000;
    const late = await comeBack(begun);
    const forged = await person.open("/oauth2/corp/callback?code=1&state=2");

    for (const each of [stolen, withoutCookie, late, forged]) {
      expect(each.status).toBe(400);
      expect(each.html).toContain("too old, or began in another browser");
    }
    expect(await registry.store.db.selectFrom("account").selectAll().execute()).toEqual([]);
  });

  it("says so, and logs why, where the provider fails", async () => {
    const lines: string[] = [];
    const { registry, person, comeBack } = await open({}, { log: { write: (line) => void lines.push(line) } });
    await using _ = registry;
    const begun = await person.open("/oauth2/corp/login");
    server.fault = "wrong audience";

    const failed = await comeBack(begun);
    const unknown = await person.open("/oauth2/none/login");

    expect(failed.status).toBe(520);
    expect(failed.html).toContain("Signing in with Corp failed");
    expect(lines.join("")).toContain("identity_provider_failed");
    expect(unknown.status).toBe(404);
  });

  it("leads to no other site afterwards", async () => {
    const { registry, signIn } = await open();
    await using _ = registry;

    expect((await signIn("corp", "//evil.example/")).address).toBe("/signin");
  });

  it("has no such pages without a provider", async () => {
    await using registry = await openTestRegistry();
    const { person } = openOutsidePerson(registry, server);

    expect((await person.open("/oauth2/corp/login")).status).toBe(404);
    expect((await person.open("/signin")).html).not.toContain("Sign in with");
  });
});

describe("attaching a login", () => {
  it("lets a user of the registry sign in with it from then on, until it is detached", async () => {
    const { registry, person, comeBack } = await open();
    await using _ = registry;
    await userWithPassword(registry, "alice");
    const home = await person.send(await person.open("/signin"), "/signin", right);

    const attaching = await person.send(home, "/oauth2/corp/attach");
    const attached = await comeBack({ address: linksOf(attaching)[0] ?? "" });
    const outside = await openOutsidePerson(registry, server).signIn();
    const detached = await person.send(attached, "/oauth2/corp/detach");
    const afterwards = await openOutsidePerson(registry, server).signIn();

    expect(outside.html).toContain("signed in as <strong>alice</strong>");
    expect(detached.html).toContain("Attach</button>");
    expect(afterwards.html).toContain("signed in as <strong>zoe</strong>");
  });

  it("is refused for a login of another account, a second one, and the last way in", async () => {
    const { registry, person, signIn } = await open();
    await using _ = registry;
    await userWithPassword(registry, "alice");
    const zoe = await signIn();
    const lastWay = await person.send(zoe, "/oauth2/corp/detach");
    const alice = openOutsidePerson(registry, server);
    const home = await alice.person.send(await alice.person.open("/signin"), "/signin", right);
    const attach = async () =>
      alice.comeBack({ address: linksOf(await alice.person.send(home, "/oauth2/corp/attach"))[0] ?? "" });

    const ofZoe = await attach();
    server.person = { sub: "alice-1" };
    await attach();
    server.person = { sub: "alice-2" };
    const second = await attach();

    expect([lastWay.status, ofZoe.status, second.status]).toEqual([400, 400, 400]);
    expect(lastWay.html).toContain("only way to sign in to your account");
    expect(ofZoe.html).toContain("belongs to another account");
    expect(second.html).toContain("has another login of Corp");
  });

  it("is not done for another user who has signed in meanwhile, nor without a fresh sign-in or the form", async () => {
    const { registry, person, comeBack } = await open();
    await using _ = registry;
    await userWithPassword(registry, "alice");
    const home = await person.send(await person.open("/signin"), "/signin", right);
    const attaching = await person.send(home, "/oauth2/corp/attach");
    const forged = await person.send(home, "/oauth2/corp/attach", { _csrf_token: "other" });
    await person.send(await person.send(home, "/signout"), "/signin", right);

    const stale = await comeBack({ address: linksOf(attaching)[0] ?? "" });
    registry.time.now += 11 * 60_000;
    const tooLate = await person.send(await person.open("/signin"), "/oauth2/corp/attach");

    expect([forged.status, stale.status, tooLate.status]).toEqual([403, 400, 401]);
    expect(await registry.store.db.selectFrom("external_login").selectAll().execute()).toEqual([]);
  });
});

describe("groups of an identity provider", () => {
  const rules = { groupsClaim: "groups", superuserGroups: ["admins"], restrictedGroups: ["guests"] };
  const group = { group_name: "dev" };

  it("put users into teams and out again, and keep robots and the last administrator", async () => {
    const { registry } = await open(rules, { features: { memberTeamSync: true } });
    await using _ = registry;
    const ann = await registry.user("ann");
    await registry.organization("acme", { admin: [ann] });
    const owner = await registry.session(ann);
    await owner("PUT", "/organization/acme/robots/ci");
    for (const name of ["dev", "owners"]) {
      await owner("PUT", `/organization/acme/team/${name}`, { role: name === "dev" ? "member" : "admin" });
      await owner("PUT", `/organization/acme/team/${name}/members/ann`);
    }
    await owner("PUT", "/organization/acme/team/dev/members/acme%2Bci");
    const namesOf = async (team: string) =>
      (await owner("GET", `/organization/acme/team/${team}/members`)).body.members.map(
        (each: { name: string }) => each.name,
      );
    const signInWith = async (groups: readonly string[] | undefined) => {
      server.moreOfPerson = groups === undefined ? {} : { groups };
      await openOutsidePerson(registry, server).signIn();
    };

    const enabled = await owner("POST", "/organization/acme/team/dev/syncing", group);
    await owner("POST", "/organization/acme/team/owners/syncing", { group_name: "none" });
    const emptied = await namesOf("dev");
    await signInWith(["dev", "other"]);
    const joined = await namesOf("dev");
    const shown = await owner("GET", "/organization/acme/team/dev/members");
    await signInWith(undefined);

    expect(enabled.status).toBe(200);
    expect(emptied).toEqual(["acme+ci"]);
    expect(joined).toEqual(["acme+ci", "zoe"]);
    expect(shown.body).toMatchObject({ can_sync: { service: "corp" }, synced: { service: "corp", config: group } });
    expect(await namesOf("dev")).toEqual(["acme+ci"]);
    expect(await namesOf("owners")).toEqual(["ann"]);
  });

  it.each([
    { body: {}, detail: "Missing group_name" },
    { body: { group_name: "" }, detail: "Missing group_name" },
    { body: { group_dn: "cn=dev" }, detail: "Missing group_name" },
    { body: { group_name: "dev", service: "other" }, detail: "expected service to be one of corp" },
    { body: group, detail: "Not supported", provider: { groupsClaim: undefined } },
  ])("refuse $body: $detail", async ({ body, detail, provider = rules }) => {
    const { registry } = await open(provider as Partial<OidcOptions>, { features: { memberTeamSync: true } });
    await using _ = registry;
    const ann = await registry.user("ann");
    await registry.organization("acme", { admin: [ann] });
    const owner = await registry.session(ann);
    await owner("PUT", "/organization/acme/team/dev", { role: "member" });

    const answer = await owner("POST", "/organization/acme/team/dev/syncing", body);

    expect(answer).toMatchObject({ status: 400, body: { detail: `Could not sync to group: ${detail}` } });
  });

  it("make superusers and restricted users, from one sign-in to the next", async () => {
    const { registry } = await open(rules);
    await using _ = registry;
    const answers = async (groups: readonly string[]) => {
      server.moreOfPerson = { groups };
      await openOutsidePerson(registry, server).signIn();
      const account = await registry.store.db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
      const call = await registry.session(account);
      const robot = await call("PUT", `/user/robots/r${groups.join("")}x`);
      return [(await call("GET", "/superuser/users/")).status, robot.status];
    };

    expect(await answers(["admins"])).toEqual([200, 200]);
    expect(await answers(["guests"])).toEqual([403, 403]);
    expect(await answers(["admins", "guests"])).toEqual([200, 200]);
    expect(await answers([])).toEqual([403, 200]);
  });

  it("take everything from a user whom they no longer let in, until they do again", async () => {
    const { registry } = await open({ ...rules, requiredGroups: ["staff"] }, { features: { memberTeamSync: true } });
    await using _ = registry;
    const signInWith = async (...groups: readonly string[]) => {
      server.moreOfPerson = { groups };
      const outside = openOutsidePerson(registry, server);
      return { page: await outside.signIn(), ...outside };
    };
    const began = await signInWith("staff", "admins");
    const account = await registry.store.db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    const call = await registry.session(account);
    const enabled = async () =>
      (await registry.store.db.selectFrom("account").select("enabled").executeTakeFirstOrThrow()).enabled;
    const rights = async () => [(await call("GET", "/superuser/users/")).status, await enabled()];

    const before = await rights();
    const refused = await signInWith("admins");
    const during = await rights();
    const page = await began.person.open("/signin");
    await signInWith("staff");

    expect(before).toEqual([200, 1]);
    expect(refused.page.status).toBe(403);
    expect(refused.page.html).toContain("not in a group whose members may sign in");
    expect(during).toEqual([401, 0]);
    expect(page.html).not.toContain("signed in as");
    expect(await enabled()).toBe(1);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["user_disable", "user_enable"]),
    );
  });

  it("take the role and the sessions, and not the account, of a user who has a password too", async () => {
    const { registry, signIn } = await open({ ...rules, requiredGroups: ["staff"] });
    await using _ = registry;
    server.moreOfPerson = { groups: ["staff", "admins"] };
    await signIn();
    await registry.store.db.updateTable("account").set({ password_hash: "x" }).execute();
    server.moreOfPerson = { groups: ["admins"] };

    await openOutsidePerson(registry, server).signIn();

    const account = registry.store.db.selectFrom("account").select(["enabled", "outside_role"]);
    expect(await account.execute()).toEqual([{ enabled: 1, outside_role: null }]);
  });
});

describe("two identity providers", () => {
  const both = async () => {
    const evil = await startOidcServer();
    const providers = [providerOf(server), providerOf(evil, { service: "evil", title: "Evil" })];
    const registry = await openTestRegistry({ ports: { identityProviders: providers } });
    return { evil, registry, ...openOutsidePerson(registry, server) };
  };

  it.each([
    { what: "the state of one at the callback of the other", from: "corp", to: "evil" },
    { what: "the state of the other at the callback of one", from: "evil", to: "corp" },
  ])("are not mixed up: $what", async ({ from, to }) => {
    const { evil, registry, person } = await both();
    await using _ = registry;
    await using __ = evil;
    const begun = await person.open(`/oauth2/${from}/login`);
    evil.asked.length = 0;
    const { search } = new URL(await (from === "corp" ? server : evil).agree(begun.address));

    const answer = await person.open(`/oauth2/${to}/callback${search}`);

    expect(answer.status).toBe(400);
    expect(evil.asked).toEqual([]); // no code was sent there
  });

  it.each([
    { what: "a code of one with the state of the other", iss: "evil" },
    { what: "a response that names the other issuer", iss: "corp" },
    { what: "a response that names no issuer", iss: undefined },
  ])("are not mixed up: $what", async ({ iss }) => {
    const { evil, registry, person } = await both();
    await using _ = registry;
    await using __ = evil;
    const atEvil = await person.open("/oauth2/evil/login");
    const atCorp = await person.open("/oauth2/corp/login");
    const { searchParams: ofEvil } = new URL(await evil.agree(atEvil.address));
    const { searchParams: ofCorp } = new URL(await server.agree(atCorp.address));
    const code = iss === "evil" ? ofCorp.get("code") : ofEvil.get("code");
    const query = new URLSearchParams({ code: code ?? "", state: ofEvil.get("state") ?? "" });
    if (iss !== undefined) query.set("iss", iss === "evil" ? evil.issuer : server.issuer);

    const answer = await person.open(`/oauth2/evil/callback?${query}`);

    expect(answer.status).toBe(520);
    expect(await registry.store.db.selectFrom("account").selectAll().execute()).toEqual([]);
  });
});
