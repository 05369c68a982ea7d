import { setPassword } from "@plimsoll/registry/identity/sign-in/check-password";
import { describe, expect, it } from "vitest";
import { spendGuesses } from "../../../fixtures/spend-guesses.ts";
import { openBrowser, testPassword, userWithPassword } from "../../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

const title = { title: "laptop" };

describe("sessionOperations", () => {
  it("sign in by name or e-mail address, and out of every session at once", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const [laptop, phone] = [openBrowser(registry), openBrowser(registry)];

    const byName = await laptop.signIn("alice");
    const byEmail = await phone.signIn("ALICE@example.com");
    const made = await laptop.call("POST", "/user/apptoken", title);
    const out = await phone.call("POST", "/signout");

    expect(byName).toMatchObject({ status: 200, body: { success: true } });
    expect(byName.headers["set-cookie"]).toMatch(
      /^plimsoll_session=[A-Z0-9]{48}; Max-Age=2678400; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(byEmail.status).toBe(200);
    expect(made.status).toBe(201);
    expect(out).toMatchObject({ status: 200, body: { success: true } });
    expect(out.headers["set-cookie"]).toMatch(/^plimsoll_session=; Max-Age=0; /);
    expect((await laptop.call("GET", "/user/apptoken")).status).toBe(401);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual([
      "login_success",
      "login_success",
      "create_app_specific_token",
      "logout_success",
    ]);
  });

  it("of other users neither end with a sign-out nor become fresh with a password", async () => {
    await using registry = await openTestRegistry();
    const [alice, bob] = [openBrowser(registry), openBrowser(registry)];
    for (const [name, browser] of [
      ["alice", alice],
      ["bob", bob],
    ] as const) {
      await userWithPassword(registry, name);
      await browser.signIn(name);
    }
    registry.time.now += 601_000;

    const verified = await alice.call("POST", "/signin/verify", { password: testPassword });
    const fresh = await alice.call("POST", "/user/apptoken", title);
    const stale = await bob.call("POST", "/user/apptoken", title);
    const again = await alice.signIn("alice");
    const afterSignIn = await bob.call("GET", "/user/apptoken");
    const out = await alice.call("POST", "/signout");
    const afterSignOut = await bob.call("GET", "/user/apptoken");

    expect([verified.status, fresh.status, again.status, out.status]).toEqual([200, 201, 200, 200]);
    expect(stale).toMatchObject({ status: 401, body: { title: "fresh_login_required" } });
    expect([afterSignIn.status, afterSignOut.status]).toEqual([200, 200]);
  });

  it("keep the cookie from plain connections where the registry is served by TLS", async () => {
    await using registry = await openTestRegistry({ settings: { scheme: "https" } });

    const { headers } = await openBrowser(registry).open("/csrf_token");

    expect(headers["set-cookie"]).toMatch(/; Max-Age=3600; .*; Secure; /);
  });

  it.each([
    { why: "a wrong password", username: "alice", password: "wrong-password" },
    { why: "an unknown name", username: "nobody", password: testPassword },
    { why: "an unknown address", username: "nobody@example.com", password: testPassword },
    { why: "an organization", username: "acme", password: testPassword },
    { why: "a user without a password", username: "bob", password: "" },
  ])("refuse $why, in the same words", async ({ username, password }) => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    await registry.user("bob");
    await registry.organization("acme");

    const answer = await openBrowser(registry).signIn(username, password);

    const message = "Invalid username or password";
    expect(answer).toMatchObject({
      status: 403,
      body: { message, invalidCredentials: true, needsEmailVerification: false },
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("make a client that guesses wait", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);

    const wrong = await browser.signIn("alice", "wrong-password");
    await spendGuesses(registry);
    const tooSoon = await browser.signIn("alice");
    registry.time.now += 300_000;
    const right = await browser.signIn("alice");
    await browser.signIn("alice", "another-password");
    await spendGuesses(registry);
    const known = await openBrowser(registry).signIn("alice");

    expect([wrong, tooSoon, right, known].map(({ status }) => status)).toEqual([403, 429, 200, 200]);
    expect(tooSoon.headers["retry-after"]).toBe("300");
  });

  it.each([
    { known: "alice", unknown: "nobody" },
    { known: "alice@example.com", unknown: "nobody@example.com" },
  ])("answer guesses for $unknown, which no account has, exactly as for $known", async ({ known, unknown }) => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const began = registry.time.now;
    const answersTo = async (username: string) => {
      const browser = openBrowser(registry);
      const answers = [];
      for (const afterMs of [0, 0, 300_000, 300_000, 400_000]) {
        registry.time.now = began + afterMs;
        const { status, headers, body } = await browser.signIn(username, `wrong-${answers.length}`);
        if (answers.length === 0) await spendGuesses(registry);
        answers.push({ status, body, headers: { ...headers, date: "", "x-request-id": "" } });
      }
      return answers;
    };

    const answers = [await answersTo(known), await answersTo(unknown)];

    expect(answers[0]?.map(({ status }) => status)).toEqual([403, 429, 403, 429, 429]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it("let a user with a new password sign in at once", async () => {
    await using registry = await openTestRegistry();
    const alice = await userWithPassword(registry, "alice");
    const { db } = registry.store;
    await openBrowser(registry).signIn("alice", "wrong-password");
    await openBrowser(registry).signIn("alice@example.com", "wrong-password");
    await spendGuesses(registry);

    await setPassword({ db }, alice, alice.password_hash ?? "");

    expect((await openBrowser(registry).signIn("alice")).status).toBe(200);
    expect((await openBrowser(registry).signIn("alice@example.com")).status).toBe(200);
  });

  it("refuse disabled users, and where there is mail those who have not confirmed their address", async () => {
    const mailer = { send: async () => {} };
    await using registry = await openTestRegistry({ ports: { mailer } });
    const alice = await userWithPassword(registry, "alice");

    const unconfirmed = await openBrowser(registry).signIn("alice");
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();
    const disabled = await openBrowser(registry).signIn("alice");

    expect(unconfirmed).toMatchObject({
      status: 403,
      body: { needsEmailVerification: true, invalidCredentials: false },
    });
    expect(disabled).toMatchObject({ status: 403, body: { needsEmailVerification: false, invalidCredentials: false } });
  });

  it("give a user who signs in a session whose id was never shown before", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const victim = openBrowser(registry);
    await victim.open("/csrf_token");
    const attacker = Object.assign(openBrowser(registry), { cookie: victim.cookie });

    await victim.signIn("alice");
    const knownCsrfToken = await attacker.open("/csrf_token");
    attacker.csrfToken = knownCsrfToken.body.csrf_token;

    expect(victim.cookie).not.toBe(attacker.cookie);
    expect((await attacker.call("GET", "/user/apptoken")).status).toBe(401);
    expect(attacker.csrfToken).not.toBe(victim.csrfToken);
  });

  it("are written when a user signs in, not before", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const count = async () => (await registry.store.db.selectFrom("session").select("account_id").execute()).length;
    const pages = ["/csrf_token", "/signin"];

    for (let visit = 0; visit < 100; visit++) await openBrowser(registry).open(pages[visit % 2] ?? "");
    const browser = openBrowser(registry);
    const wrong = await browser.signIn("alice", "wrong-password");
    const visited = await count();
    registry.time.now += 1000;
    const right = await browser.signIn("alice");

    expect([wrong.status, visited]).toEqual([403, 0]);
    expect([right.status, await count()]).toEqual([200, 1]);
  });

  it("keep one CSRF token until a user signs in, for an hour", async () => {
    await using registry = await openTestRegistry();
    const browser = openBrowser(registry);

    const tokens = [];
    for (const passedMs of [0, 3_599_999, 1]) {
      registry.time.now += passedMs;
      tokens.push((await browser.open("/csrf_token")).body.csrf_token);
    }

    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  it.each([
    { when: "with the token of another", passedMs: 0, ofAnother: true, status: 403 },
    { when: "in its last moment", passedMs: 3_599_999, ofAnother: false, status: 200 },
    { when: "an hour after it began", passedMs: 3_600_000, ofAnother: false, status: 403 },
  ])("answer a sign-in from an anonymous one $when with $status", async ({ passedMs, ofAnother, status }) => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const [browser, another] = [openBrowser(registry), openBrowser(registry)];
    browser.csrfToken = (await browser.open("/csrf_token")).body.csrf_token;
    if (ofAnother) browser.csrfToken = (await another.open("/csrf_token")).body.csrf_token;
    registry.time.now += passedMs;

    const answer = await browser.call("POST", "/signin", { username: "alice", password: testPassword });

    expect(answer.status).toBe(status);
    expect(answer.headers["set-cookie"] !== undefined).toBe(status === 200);
  });

  it("require the password again after a while, for sensitive operations", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const alice = openBrowser(registry);
    await alice.signIn("alice");
    registry.time.now += 601_000;

    const stale = await alice.call("POST", "/user/apptoken", title);
    const listed = await alice.call("GET", "/user/apptoken");
    const wrong = await alice.call("POST", "/signin/verify", { password: "wrong-password" });
    registry.time.now += 1000;
    const verified = await alice.call("POST", "/signin/verify", { password: testPassword });
    const fresh = await alice.call("POST", "/user/apptoken", title);

    expect(stale).toMatchObject({ status: 401, body: { title: "fresh_login_required" } });
    expect([listed.status, wrong.status, verified.status, fresh.status]).toEqual([200, 403, 200, 201]);
  });

  it.each([
    { carrier: "neither header nor query", header: undefined, query: "", status: 403 },
    { carrier: "a wrong header", header: "x", query: "", status: 403 },
    { carrier: "a wrong query", header: "right", query: "?_csrf_token=x", status: 403 },
    { carrier: "the header", header: "right", query: "", status: 201 },
    { carrier: "the query", header: undefined, query: "?_csrf_token=right", status: 201 },
  ])("take changes with the CSRF token: $carrier gives $status", async ({ header, query, status }) => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const alice = openBrowser(registry);
    await alice.signIn("alice");
    const right = alice.csrfToken ?? "";
    alice.csrfToken = header === "right" ? right : header;

    const answer = await alice.call("POST", `/user/apptoken${query.replace("right", right)}`, title);

    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toMatchObject({ title: "insufficient_scope" });
  });

  it.each([
    { who: "no session", cookie: undefined, csrfToken: "x" },
    { who: "a session that there is not", cookie: "plimsoll_session=x", csrfToken: "x" },
    { who: "the session of another page", cookie: "own", csrfToken: undefined },
  ])("refuse to sign in from $who", async ({ cookie, csrfToken }) => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);
    await browser.open("/csrf_token");
    browser.csrfToken = csrfToken;
    if (cookie !== "own") browser.cookie = cookie;

    const answer = await browser.call("POST", "/signin", { username: "alice", password: testPassword });

    expect(answer).toMatchObject({ status: 403, body: { title: "insufficient_scope" } });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("end with their time, with the account's credentials, and with the account", async () => {
    await using registry = await openTestRegistry();
    const alice = await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);
    const { db } = registry.store;
    const status = async () => (await browser.call("GET", "/user/apptoken")).status;

    await browser.signIn("alice");
    const before = await status();
    registry.time.now += registry.settings.sessionSeconds * 1000;
    const expired = await status();
    await browser.signIn("alice");
    await db.updateTable("account").set({ credential_version: 9 }).where("id", "=", alice.id).execute();
    const rotated = await status();
    await browser.signIn("alice");
    const again = await status();
    await db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();

    expect([before, expired, rotated, again, await status()]).toEqual([200, 401, 401, 200, 401]);
  });
});

describe("authenticate", () => {
  it.each([
    { why: "a token that there is not", authorization: "Bearer x", read: 200, own: 401, write: 401 },
    { why: "another scheme, as if nothing were shown", authorization: "Basic YTpi", read: 200, own: 401, write: 401 },
    {
      why: "a header of three parts, as if nothing were shown",
      authorization: "Bearer x y",
      read: 200,
      own: 401,
      write: 401,
    },
  ])("takes $why", async ({ authorization, read, own, write }) => {
    await using registry = await openTestRegistry();
    const send = async (method: "GET" | "POST", url: string) =>
      (await registry.app.inject({ method, url: `/api/v1${url}`, headers: { authorization } })).statusCode;

    expect(await send("GET", "/messages")).toBe(read);
    expect(await send("GET", "/user/apptoken")).toBe(own);
    expect(await send("POST", "/user/apptoken")).toBe(write);
  });

  it("looks at no cookie where a token is shown", async () => {
    await using registry = await openTestRegistry();
    await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);
    await browser.signIn("alice");

    const answer = await registry.app.inject({
      url: "/api/v1/user/apptoken",
      headers: { authorization: "Bearer x", cookie: browser.cookie ?? "" },
    });

    expect(answer.statusCode).toBe(401);
  });

  it("neither wants a CSRF token nor a fresh password where a token is shown", async () => {
    await using registry = await openTestRegistry();
    const alice = await registry.token(await userWithPassword(registry, "alice"), "user:admin");

    expect((await alice("POST", "/user/apptoken", title)).status).toBe(201);
  });
});
