import { describe, expect, it } from "vitest";
import { openBrowser, testPassword, userWithPassword } from "../../../fixtures/test-browser.ts";
import { queuedMail } from "../../../fixtures/test-mail.ts";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";
import { basic, openTokenService } from "../../../fixtures/test-tokens.ts";

const mailer = { send: async () => {} };
const newUser = { username: "dora", password: "long-enough", email: "dora@example.com" };

describe("getLoggedInUser", () => {
  it("shows users themselves and their organizations", async () => {
    await using registry = await openTestRegistry();
    const alice = await userWithPassword(registry, "alice");
    await registry.organization("acme", { admin: [alice] });
    await registry.organization("guests", { member: [alice] });

    const { status, body } = await (await registry.session(alice))("GET", "/user/");

    expect(status).toBe(200);
    expect(body).toEqual({
      anonymous: false,
      username: "alice",
      avatar: expect.objectContaining({ name: "alice", kind: "user" }),
      is_me: true,
      can_create_repo: true,
      verified: false,
      email: "alice@example.com",
      logins: [],
      prompts: [],
      invoice_email: false,
      invoice_email_address: null,
      preferred_namespace: false,
      tag_expiration_s: 1_209_600,
      is_free_account: true,
      quotas: [],
      quota_report: {
        quota_bytes: 0,
        metadata_bytes: 0,
        configured_quota: null,
        running_backfill: "",
        backfill_status: "complete",
      },
      has_password_set: true,
      given_name: null,
      family_name: null,
      company: null,
      location: null,
      organizations: [
        expect.objectContaining({ name: "acme", can_create_repo: true, is_org_admin: true }),
        expect.objectContaining({ name: "guests", can_create_repo: false, is_org_admin: false }),
      ],
    });
  });

  it("shows no more than the token allows", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.user("alice");
    await registry.organization("acme", { admin: [alice] });

    const reading = await (await registry.token(alice, "user:read"))("GET", "/user");
    const administering = await (await registry.token(alice, "user:admin", "org:admin"))("GET", "/user");

    expect(Object.keys(reading.body)).toEqual(["anonymous", "username", "avatar", "email", "organizations"]);
    expect(reading.body.email).toBe("alice@example.com");
    expect(reading.body.organizations).toEqual([
      { name: "acme", avatar: expect.anything(), public: false, can_create_repo: false },
    ]);
    expect(administering.body).toMatchObject({ is_me: true, organizations: [{ is_org_admin: true }] });
  });

  it.each([
    { name: "root", scopes: undefined, more: { super_user: true } },
    { name: "root", scopes: ["user:read", "super:user"], more: { super_user: true } },
    { name: "root", scopes: ["user:admin"], more: {} },
    { name: "auditor", scopes: undefined, more: { global_readonly_super_user: true } },
    { name: "auditor", scopes: ["user:read"], more: { global_readonly_super_user: true } },
    { name: "alice", scopes: undefined, more: {} },
  ] as const)("tells $name what they are with $scopes", async ({ name, scopes, more }) => {
    await using registry = await openTestRegistry();
    const account = await registry.user(name);
    const call = scopes === undefined ? await registry.session(account) : await registry.token(account, ...scopes);

    const { super_user, global_readonly_super_user } = (await call("GET", "/user/")).body;

    expect(JSON.parse(JSON.stringify({ super_user, global_readonly_super_user }))).toEqual(more);
  });

  it("answers anonymous requests, and tokens that may not read users, that no user is signed in", async () => {
    await using registry = await openTestRegistry();
    const repositories = await registry.token(await registry.user("alice"), "repo:admin");

    for (const call of [registry.anonymous, repositories]) {
      expect(await call("GET", "/user/")).toMatchObject({
        status: 401,
        body: { title: "invalid_token", session_required: false },
      });
    }
  });
});

describe("createNewUser", () => {
  it("signs a browser in where there is no mail", async () => {
    await using registry = await openTestRegistry();
    const browser = openBrowser(registry);
    browser.csrfToken = (await browser.open("/csrf_token")).body.csrf_token;

    const made = await browser.call("POST", "/user/", newUser);

    expect(made).toMatchObject({ status: 200, body: { username: "dora", email: "dora@example.com", verified: true } });
    expect((await browser.call("GET", "/user/")).body.username).toBe("dora");
    expect(await registry.usageLog()).toEqual([
      { kind: "user_create", metadata: { username: "dora", email: "dora@example.com" } },
    ]);
  });

  it("makes so many accounts an hour from one network", async () => {
    await using registry = await openTestRegistry({ settings: { accountsPerAddressPerHour: 2 } });
    const browser = openBrowser(registry);
    browser.csrfToken = (await browser.open("/csrf_token")).body.csrf_token;
    const names = ["dora", "dora2", "dora3"];

    const statuses = [];
    for (const username of names) {
      const made = await browser.call("POST", "/user/", { ...newUser, username, email: `${username}@example.com` });
      statuses.push(made.status);
    }

    expect(statuses).toEqual([200, 200, 429]);
  });

  it("sends a message where there is mail, and refuses the user until the address is confirmed", async () => {
    await using registry = await openTestRegistry({ ports: { mailer } });
    const browser = openBrowser(registry);

    const made = await browser.call("POST", "/user/", newUser);
    const early = await browser.signIn("dora", newUser.password);

    expect(made).toMatchObject({ status: 200, body: { awaiting_verification: true } });
    expect(made.headers["set-cookie"]).toBeUndefined();
    expect(early).toMatchObject({ status: 403, body: { needsEmailVerification: true } });
    expect(await queuedMail(registry)).toMatchObject([{ to: "dora@example.com" }]);
  });

  it.each([
    { why: "a name that is taken", body: { ...newUser, username: "alice" } },
    { why: "the name of an organization", body: { ...newUser, username: "acme" } },
    { why: "the name of a superuser", body: { ...newUser, username: "root" } },
    { why: "the name of a read-only superuser", body: { ...newUser, username: "auditor" } },
    { why: "a name by no rule", body: { ...newUser, username: "Dora" } },
    { why: "a robot's name", body: { ...newUser, username: "alice+dora" } },
    { why: "a short password", body: { ...newUser, password: "short" } },
    { why: "a password with a space", body: { ...newUser, password: "long enough" } },
    { why: "an address by no rule", body: { ...newUser, email: "dora" } },
    { why: "the address of another user", body: { ...newUser, email: "ALICE@example.com" } },
    { why: "no password", body: { username: "dora" } },
    { why: "a number for a name", body: { ...newUser, username: 7 } },
  ])("refuses $why", async ({ body }) => {
    await using registry = await openTestRegistry();
    await registry.user("alice");
    await registry.organization("acme");

    expect((await registry.anonymous("POST", "/user/", body)).status).toBe(400);
    expect(await registry.usageLog()).toEqual([]);
  });

  it.each([
    { what: "the code of an invite to it", email: "dora@example.com", code: true, confirmed: true },
    { what: "the code of an invite to another", email: "other@example.com", code: true, confirmed: false },
    { what: "a code that there is not", email: "dora@example.com", code: false, confirmed: false },
  ])("takes an address as confirmed by $what: $confirmed", async ({ email, code, confirmed }) => {
    await using registry = await openTestRegistry({ ports: { mailer } });
    const ann = await registry.user("ann");
    await registry.organization("acme", { admin: [ann], member: [] });
    await (await registry.session(ann))("PUT", `/organization/acme/team/members/invite/${email}`);
    const [invite] = await registry.store.db.selectFrom("team_invite").select("id").execute();
    const invite_code = `urn:teaminvite:${code ? invite?.id : "x"}`;
    const [signingUp, signingIn] = [openBrowser(registry), openBrowser(registry)];

    const made = await signingUp.call("POST", "/user/", { ...newUser, invite_code });
    await registry.store.db.updateTable("account").set({ verified: 0 }).where("username", "=", "dora").execute();
    signingIn.csrfToken = (await signingIn.open("/csrf_token")).body.csrf_token;
    const shown = { username: "dora", password: newUser.password };
    const signedIn = await signingIn.call("POST", "/signin", { ...shown, invite_code });
    const later = await openBrowser(registry).signIn("dora", newUser.password);

    expect(made.body).toMatchObject(confirmed ? { username: "dora", verified: true } : { awaiting_verification: true });
    expect([signedIn.status, later.status]).toEqual(confirmed ? [200, 200] : [403, 403]);
    const teams = await registry.store.db.selectFrom("team_member").select("account_id").execute();
    expect(teams).toEqual([{ account_id: ann.id }]);
  });

  it("needs an address where there is mail, and is unknown where users cannot sign up", async () => {
    await using withMail = await openTestRegistry({ ports: { mailer } });
    await using closed = await openTestRegistry({ features: { userCreation: false } });
    const { email: _, ...noAddress } = newUser;

    expect((await withMail.anonymous("POST", "/user/", noAddress)).status).toBe(400);
    expect((await closed.anonymous("POST", "/user/", newUser)).status).not.toBe(200);
  });
});

describe("changeUserDetails", () => {
  it("changes what is given and tells the usage log", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.session(await registry.user("alice"));
    await alice("PUT", "/user/", { given_name: "Alice" });

    const changed = await alice("PUT", "/user/", {
      email: "a@example.com",
      invoice_email: true,
      invoice_email_address: "bills@example.com",
      tag_expiration_s: 86_400,
      company: "Acme",
      username: "ignored",
    });

    expect(changed).toMatchObject({
      status: 200,
      body: {
        username: "alice",
        email: "a@example.com",
        invoice_email: true,
        invoice_email_address: "bills@example.com",
        tag_expiration_s: 86_400,
        given_name: "Alice",
        company: "Acme",
      },
    });
    expect(await registry.usageLog()).toEqual([
      { kind: "user_change_metadata", metadata: { given_name: "Alice" } },
      { kind: "user_change_email", metadata: { email: "a@example.com", old_email: "alice@example.com" } },
      { kind: "user_change_invoicing", metadata: { invoice_email: true } },
      { kind: "user_change_invoicing", metadata: { invoice_email_address: "bills@example.com" } },
      { kind: "user_change_tag_expiration", metadata: { tag_expiration: 86_400 } },
      { kind: "user_change_metadata", metadata: { given_name: "Alice", company: "Acme" } },
    ]);
  });

  it("ends every other session and every registry token with the password", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    await using tokens = openTokenService(registry);
    const { token } = await tokens.ask(basic("alice", testPassword), "repository:alice/a:pull");
    const [laptop, phone] = [openBrowser(registry), openBrowser(registry)];
    await laptop.signIn("alice");
    await phone.signIn("alice");

    const changed = await laptop.call("PUT", "/user/", { password: "another-password" });

    expect(changed.status).toBe(200);
    expect((await laptop.call("GET", "/user/")).status).toBe(200);
    expect((await phone.call("GET", "/user/")).status).toBe(401);
    await expect(tokens.auth.identify({ authorization: `Bearer ${token}` })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    expect((await tokens.ask(basic("alice", testPassword))).status).toBe(401);
    expect((await openBrowser(registry).signIn("alice")).status).toBe(403);
    expect(JSON.stringify(await registry.usageLog())).not.toContain("another-password");
  });

  it("keeps the address until another is confirmed, where there is mail", async () => {
    await using registry = await openTestRegistry({ ports: { mailer } });
    const alice = await registry.session(await registry.user("alice"));

    const changed = await alice("PUT", "/user/", { email: "new@example.com" });

    expect(changed.body.email).toBe("alice@example.com");
    expect(await queuedMail(registry)).toMatchObject([{ to: "new@example.com" }]);
  });

  it.each([
    { body: { password: "short" } },
    { body: { email: "none" } },
    { body: { email: "bob@example.com" } },
    { body: { tag_expiration_s: 7.5 } },
    { body: { tag_expiration_s: 1e300 } },
    { body: { tag_expiration_s: -1 } },
    { body: { invoice_email: "yes" } },
    { body: { company: "x".repeat(256) } },
  ])("refuses $body", async ({ body }) => {
    await using registry = await openTestRegistry();
    const alice = await registry.session(await registry.user("alice"));
    await registry.user("bob");

    expect((await alice("PUT", "/user/", body)).status).toBe(400);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("wants a fresh sign-in", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.session(await userWithPassword(registry, "alice"));
    registry.time.now += 601_000;

    expect((await alice("PUT", "/user/", {})).body.title).toBe("fresh_login_required");
    expect((await alice("DELETE", "/user/")).body.title).toBe("fresh_login_required");
  });
});

describe("deleteCurrentUser", () => {
  it("takes the account away, and frees its name where it has no repositories", async () => {
    await using registry = await openTestRegistry();
    const account = await userWithPassword(registry, "alice");
    const alice = await registry.session(account);
    const token = await registry.token(account, "user:read");

    const deleted = await alice("DELETE", "/user/");

    expect(deleted.status).toBe(204);
    expect((await alice("GET", "/user/")).status).toBe(401);
    expect((await token("GET", "/user/")).status).toBe(401);
    expect((await registry.anonymous("GET", "/users/alice")).status).toBe(404);
    expect((await openBrowser(registry).signIn("alice")).status).toBe(403);
    expect(await registry.usageLog()).toEqual([{ kind: "user_delete", metadata: { username: "alice" } }]);
    const again = await registry.anonymous("POST", "/user/", { ...newUser, username: "alice" });
    expect(again).toMatchObject({ status: 200, body: { username: "alice" } });
  });

  it("refuses the only admin of an organization", async () => {
    await using registry = await openTestRegistry();
    const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
    await registry.organization("acme", { admin: [alice] });
    await registry.organization("shared", { admin: [alice, bob] });

    const answer = await (await registry.session(alice))("DELETE", "/user/");

    expect(answer).toMatchObject({
      status: 400,
      body: { message: "Cannot delete alice as you are the only admin for organizations: acme" },
    });
    expect((await registry.anonymous("GET", "/users/alice")).status).toBe(200);
  });
});

describe("convertUserToOrganization", () => {
  it("makes the account an organization of another user", async () => {
    await using registry = await openTestRegistry();
    const [alice, bob] = [await userWithPassword(registry, "alice"), await userWithPassword(registry, "bob")];
    await registry.organization("acme", { admin: [bob], member: [alice] });
    const [session, admin] = [await registry.session(alice), await registry.session(bob)];
    const prototype = { role: "read", delegate: { kind: "user", name: "alice" } };
    await admin("POST", "/organization/acme/prototypes", prototype);

    const converted = await session("POST", "/user/convert", { adminUser: "bob", adminPassword: testPassword });

    expect(converted).toMatchObject({ status: 200, body: { success: true } });
    expect((await session("GET", "/user/")).status).toBe(401);
    const organization = await admin("GET", "/organization/alice");
    expect(organization.body).toMatchObject({ name: "alice", is_admin: true, ordered_teams: ["owners"] });
    expect((await openBrowser(registry).signIn("alice")).status).toBe(403);
    expect((await admin("GET", "/organization/acme/prototypes")).body).toEqual({ prototypes: [] });
    expect((await admin("GET", "/organization/acme/members")).body.members).toMatchObject([{ name: "bob" }]);
    expect((await registry.usageLog()).at(-1)).toEqual({ kind: "account_convert", metadata: {} });
  });

  it.each([
    { why: "a wrong password", adminUser: "bob", adminPassword: "wrong-password" },
    { why: "an unknown user", adminUser: "nobody", adminPassword: testPassword },
    { why: "the account itself", adminUser: "alice", adminPassword: testPassword },
  ])("refuses $why", async ({ adminUser, adminPassword }) => {
    await using registry = await openTestRegistry();
    const alice = await registry.session(await userWithPassword(registry, "alice"));
    await userWithPassword(registry, "bob");

    const answer = await alice("POST", "/user/convert", { adminUser, adminPassword });

    expect(answer).toMatchObject({ status: 400, body: { reason: "invaliduser" } });
    expect((await alice("GET", "/user/")).status).toBe(200);
  });

  it("refuses the only admin of an organization", async () => {
    await using registry = await openTestRegistry();
    const alice = await userWithPassword(registry, "alice");
    await userWithPassword(registry, "bob");
    await registry.organization("acme", { admin: [alice] });

    const body = { adminUser: "bob", adminPassword: testPassword };

    expect((await (await registry.session(alice))("POST", "/user/convert", body)).status).toBe(400);
  });
});
