import { RegistryError } from "@plimsoll/registry/errors";
import { syncTeamsJob } from "@plimsoll/registry/organizations/teams/jobs";
import { type Directory, type DirectoryUser, forTeamsOnly } from "@plimsoll/registry/ports/identities";
import { enqueueJob, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { spendGuesses } from "../../fixtures/spend-guesses.ts";
import { openBrowser, testPassword, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { openTokenService } from "../../fixtures/test-tokens.ts";

/** The password of everyone in the directory. */
const password = "their-password";

/** A registry whose users come from a directory, which tests fill: its users by what they type. */
async function open(engine?: TestEngine) {
  const users = new Map<string, DirectoryUser>([["zoe", { username: "Zoe", email: "zoe@example.com" }]]);
  const asked: string[] = [];
  const state = { isDown: false };
  const directory: Directory = {
    ...forTeamsOnly,
    signsUsersIn: true,
    service: "ldap",
    listGroup: async () => ["ZOE", "mel"],
    async authenticate(login, given) {
      asked.push(login);
      if (state.isDown) throw new RegistryError("downstream_issue", "The directory cannot be reached at the moment");
      return given === password ? users.get(login) : undefined;
    },
  };
  const registry = await openTestRegistry({ ports: { directory }, engine });
  return {
    registry,
    users,
    asked,
    state,
    directory,
    tokens: openTokenService(registry, { onlyVerified: false, directory }),
    anotherNode: () => openTokenService(registry, { onlyVerified: false, directory }),
  };
}

const basic = (name: string, secret = password) => `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "sign-in from a directory on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "makes the account at the first time and finds it again by name and by address",
      async () => {
        const { registry, users } = await open(engine);
        await using _ = registry;
        users.set("zoe@example.com", { username: "zoe", email: "zoe@example.com" });
        const browser = openBrowser(registry);

        const first = await browser.signIn("zoe", password);
        const self = await browser.call("GET", "/user/");
        const again = await openBrowser(registry).signIn("zoe@example.com", password);

        expect([first.status, again.status]).toEqual([200, 200]);
        expect(self.body).toMatchObject({
          username: "zoe",
          email: "zoe@example.com",
          verified: true,
          has_password_set: false,
          logins: [{ service: "ldap", service_identifier: "zoe", metadata: {} }],
        });
        expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual([
          "user_create",
          "login_success",
          "login_success",
        ]);
      },
    );

    it.skipIf(engine.skip !== undefined)("gives twenty first sign-ins at once one account", async () => {
      const { registry } = await open(engine);
      await using _ = registry;

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => openBrowser(registry).signIn("zoe", password)),
      );

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      expect(await registry.store.db.selectFrom("account").select("username").execute()).toEqual([{ username: "zoe" }]);
      expect(await registry.store.db.selectFrom("external_login").select("subject").execute()).toEqual([
        { subject: "zoe" },
      ]);
    });

    it.skipIf(engine.skip !== undefined)(
      "links the account that the synchronization of a team has made, and gives a stranger's account no team",
      async () => {
        const { registry, directory } = await open(engine);
        await using _ = registry;
        const { store, settings } = registry;
        await registry.organization("acme", { admin: [await registry.user("ann")], member: [] });
        await userWithPassword(registry, "mel"); // a stranger, who was quicker to take the name
        const { id } = await store.db
          .selectFrom("team")
          .select("id")
          .where("name", "=", "members")
          .executeTakeFirstOrThrow();
        const config = JSON.stringify({ group_dn: "dev" });
        await store.db
          .insertInto("team_sync")
          .values({ team_id: id, service: "ldap", config, synced_at: null })
          .execute();
        const time = fakeTime(registry.time.now);
        await enqueueJob(store.db, syncTeamsJob.of(null, { maxAttempts: 1 }), time.clock);
        const jobs = [syncTeamsJob.withContext({ store, directory, settings, clock: time.clock })];

        await runDueJobs({ store, jobs, ...time });
        const signedIn = await openBrowser(registry).signIn("zoe", password);

        expect(signedIn.status).toBe(200);
        const members = await store.db
          .selectFrom("team_member")
          .innerJoin("account", "account.id", "team_member.account_id")
          .select("username")
          .where("team_id", "=", id)
          .execute();
        expect(members.map(({ username }) => username)).toEqual(["zoe"]);
      },
    );
  },
);

describe("sign-in from a directory", () => {
  it("works for registry clients, who need no browser before", async () => {
    const { registry, tokens, asked } = await open();
    await using _ = registry;

    const first = await tokens.ask(basic("zoe"));
    const second = await tokens.ask(basic("zoe"));
    const third = await tokens.ask(basic("zoe"));
    const wrong = await tokens.ask(basic("zoe", "wrong"));

    expect([first.status, second.status, third.status, wrong.status]).toEqual([200, 200, 200, 401]);
    expect(first.claims).toMatchObject({ sub: "zoe" });
    expect(asked).toHaveLength(2); // the second and the third were remembered
  });

  it("never makes a password wait that was right there a day ago, and counts it when it is no longer", async () => {
    const { registry, tokens, users, asked } = await open();
    await using _ = registry;
    await tokens.ask(basic("zoe"));
    await tokens.ask(basic("zoe"));
    await tokens.ask(basic("zoe", "wrong"));
    registry.time.now += 86_400_000;
    await spendGuesses(registry);

    const guess = await tokens.ask(basic("zoe", "wrong"));
    const right = await tokens.ask(basic("zoe"));
    await spendGuesses(registry);
    users.clear(); // the password was changed
    registry.time.now += 300_000;
    await spendGuesses(registry);
    const old = await tokens.ask(basic("zoe"));
    const oldAgain = await tokens.ask(basic("zoe"));
    users.set("zoe", { username: "zoe" });
    const changed = await tokens.ask(basic("zoe")); // right again, and no longer remembered

    expect([guess, right, old, oldAgain, changed].map(({ status }) => status)).toEqual([429, 200, 401, 429, 200]);
    expect(asked).toHaveLength(7);
  });

  it.each([
    { what: "a second address", login: "zoe@work.example.com" },
    { what: "the name in other letters", login: "Zoe" },
  ])("knows $what of a user after the first sign-in: it does not wait, and needs no directory", async ({ login }) => {
    const { registry, tokens, users, state, anotherNode } = await open();
    await using _ = registry;
    users.set(login, { username: "zoe" });
    const first = await tokens.ask(basic(login));
    await tokens.ask(basic(login, "wrong"));
    await spendGuesses(registry);

    const guess = await tokens.ask(basic(login, "another"));
    const remembered = await tokens.ask(basic(login));
    const atOtherNode = await anotherNode().ask(basic(login));
    state.isDown = true;
    const withoutDirectory = await tokens.ask(basic(login));

    expect([first, guess, remembered, atOtherNode, withoutDirectory].map(({ status }) => status)).toEqual([
      200, 429, 200, 200, 200,
    ]);
    expect(await registry.store.db.selectFrom("sign_in_network").select("network").execute()).toHaveLength(1);
  });

  it("does not take one user's remembered password for another whose name was typed", async () => {
    const { registry, tokens, users } = await open();
    await using _ = registry;
    await registry.user("zo");
    users.set("zo", { username: "zoe" });

    const first = await tokens.ask(basic("zo"));
    const second = await tokens.ask(basic("zo"));

    expect([first.claims.sub, second.claims.sub]).toEqual(["zoe", "zoe"]);
  });

  it("asks the directory about no account that has a password here, so operators come in while it is down", async () => {
    const { registry, asked, state } = await open();
    await using _ = registry;
    await userWithPassword(registry, "root");
    state.isDown = true;

    const operator = await openBrowser(registry).signIn("root");
    const guess = await openBrowser(registry).signIn("root", "wrong-password");
    const other = await openBrowser(registry).signIn("zoe", password);

    expect([operator.status, guess.status]).toEqual([200, 403]);
    expect(asked).toEqual(["zoe"]);
    expect(other).toMatchObject({ status: 520, body: { error_type: "downstream_issue" } });
  });

  it("tells registry clients that the directory is down, and not that the password is wrong", async () => {
    const { registry, tokens, state } = await open();
    await using _ = registry;
    await tokens.ask(basic("zoe"));
    await tokens.ask(basic("zoe")); // the first one made the account
    state.isDown = true;
    const before = await registry.usageLog();
    const form = new URLSearchParams({ grant_type: "password", service: "x", username: "mel", password });
    const outage = { code: "UNKNOWN", message: "The directory cannot be reached at the moment" };

    const remembered = await tokens.ask(basic("zoe"));
    const asked = await tokens.ask(basic("mel"));
    const posted = await tokens.app.inject({
      ...{ method: "POST", url: "/v2/auth", payload: form.toString() },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

    expect(remembered.status).toBe(200);
    expect(asked).toMatchObject({ status: 503, headers: { "retry-after": "30" }, body: { errors: [outage] } });
    expect(asked.headers).not.toHaveProperty("www-authenticate");
    expect([posted.statusCode, posted.json()]).toEqual([503, { errors: [outage] }]);
    await expect(tokens.auth.identifyBasic({ authorization: basic("mel") })).rejects.toMatchObject({
      ...outage,
      status: 503,
      headers: { "retry-after": "30" },
    });
    expect((await registry.usageLog()).slice(before.length)).not.toContainEqual(
      expect.objectContaining({ kind: "login_failure" }),
    );
  });

  it.each([
    { who: "a user who has signed in before", signedIn: true, name: "zoe" },
    { who: "a user who has not", signedIn: false, name: "zoe" },
    { who: "nobody", signedIn: false, name: "none" },
  ])("counts guesses for $who together, however the name is written", async ({ signedIn, name }) => {
    const { registry, users, asked } = await open();
    await using _ = registry;
    const variants = [name, name.toUpperCase(), ` ${name}`, `${name} `, `${name}\u00ad`, name.replace("e", "ｅ")];
    if (name === "zoe") for (const variant of variants) users.set(variant, { username: "zoe" });
    if (signedIn) await openBrowser(registry).signIn(name, password);
    asked.length = 0;

    const statuses: number[] = [];
    for (const variant of variants) {
      statuses.push((await openBrowser(registry).signIn(variant, "guess")).status);
      await spendGuesses(registry);
    }

    expect(statuses).toEqual([403, 429, 429, 429, 429, 429]);
    expect(asked).toEqual(signedIn ? variants : [name]); // where nobody has signed in, no more are checked
  });

  it("accepts the password for each way to write the name", async () => {
    const { registry, users } = await open();
    await using _ = registry;
    for (const variant of ["ZOE", " zoe"]) users.set(variant, { username: "zoe" });

    const statuses: number[] = [];
    for (const variant of ["zoe", "ZOE", " zoe"])
      statuses.push((await openBrowser(registry).signIn(variant, password)).status);

    expect(statuses).toEqual([200, 200, 200]);
    expect(await registry.store.db.selectFrom("account").select("username").execute()).toEqual([{ username: "zoe" }]);
  });

  it("counts wrong passwords, and not those that the directory could not check", async () => {
    const { registry, state } = await open();
    await using _ = registry;
    const browser = openBrowser(registry);
    state.isDown = true;
    await browser.signIn("zoe", password);
    state.isDown = false;

    const uncounted = await registry.store.db.selectFrom("failed_sign_in").selectAll().execute();
    const wrong = await browser.signIn("zoe", "wrong-password");
    await spendGuesses(registry);
    const tooSoon = await browser.signIn("zoe", password);
    registry.time.now += 300_000;
    const later = await browser.signIn("zoe", password);

    expect(uncounted).toEqual([]);
    expect([wrong.status, tooSoon.status, later.status]).toEqual([403, 429, 200]);
  });

  it.each([
    { why: "a user with a password", name: "root", message: "signs in with a password of the registry" },
    { why: "an organization", name: "acme", message: "an organization has that name" },
    { why: "an account of another login", name: "linked", message: "is linked to another login" },
    { why: "no name of an account", name: "a b", message: "expected 2 to 255" },
    { why: "a deleted account", name: "gone", message: "a deleted account still has that name" },
  ])("gives nobody's account away: the name is that of $why", async ({ name, message }) => {
    const { registry, users, tokens } = await open();
    await using _ = registry;
    const { db } = registry.store;
    await userWithPassword(registry, "root");
    await registry.organization("acme");
    const { id: account_id } = await registry.user("linked");
    await db
      .insertInto("external_login")
      .values({ service: "other", subject: "7", account_id, created_at: 0 })
      .execute();
    await db.insertInto("retired_namespace").values({ account_id, name: "gone", retired_at: 0 }).execute();
    users.set("typed", { username: name });

    const answer = await openBrowser(registry).signIn("typed", password);
    const token = await tokens.ask(basic("typed"));

    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining(message) } });
    expect(token.status).toBe(401);
  });

  it("leaves out an e-mail address that another user has", async () => {
    const { registry } = await open();
    await using _ = registry;
    const other = await registry.user("other");
    await registry.store.db
      .updateTable("account")
      .set({ email: "ZOE@example.com" })
      .where("id", "=", other.id)
      .execute();
    const browser = openBrowser(registry);

    const answer = await browser.signIn("zoe", password);

    expect(answer.status).toBe(200);
    expect((await browser.call("GET", "/user/")).body).toMatchObject({ username: "zoe", email: null });
  });

  it("refuses a disabled user, and takes the password for a fresh sign-in", async () => {
    const { registry } = await open();
    await using _ = registry;
    const browser = openBrowser(registry);
    await browser.signIn("zoe", password);

    const right = await browser.call("POST", "/signin/verify", { password });
    const wrong = await browser.call("POST", "/signin/verify", { password: testPassword });
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("username", "=", "zoe").execute();
    registry.time.now += 1000;
    const disabled = await openBrowser(registry).signIn("zoe", password);

    expect([right.status, wrong.status]).toEqual([200, 403]);
    expect(disabled).toMatchObject({ status: 403, body: { detail: "This user is disabled" } });
  });
});
