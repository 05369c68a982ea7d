import { describe, expect, it } from "vitest";
import { spendGuesses } from "../fixtures/spend-guesses.ts";
import { testPassword, userWithPassword } from "../fixtures/test-browser.ts";
import { hiddenFieldsOf, linksOf, openPerson } from "../fixtures/test-pages.ts";
import { openTestRegistry, type TestRegistryOptions } from "../fixtures/test-registry.ts";

const redirect_uri = "https://app.example.com/back";

/** Alice, who administers `acme`, its application, and what it asks for. */
async function openWorld(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const alice = await userWithPassword(registry, "alice");
  await userWithPassword(registry, "bob");
  await registry.organization("acme", { admin: [alice] });
  const session = await registry.session(alice);
  const { body } = await session("POST", "/organization/acme/applications", { name: "Deploy", redirect_uri });
  const asks = { client_id: body.client_id as string, redirect_uri, scope: "repo:read", state: "s&1" };
  const authorize = (type: string) => `/oauth/authorize?${new URLSearchParams({ ...asks, response_type: type })}`;
  return { registry, alice, person: openPerson(registry), authorize, session };
}

const right = { username: "alice", password: testPassword };
const wrong = { username: "alice", password: "wrong-password" };

describe("registerSignInPages", () => {
  it("sends each page once: nothing is logged as sent twice", async () => {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const { registry, person, authorize } = await openWorld({ log });
    await using _ = registry;

    const signIn = await person.open(authorize("token"));
    const consent = await person.send(signIn, "/signin", right);
    await person.send(consent, "/oauth/authorizeapp");
    await registry.app.inject("/config");

    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  it.each([
    {
      type: "token",
      address: /^https:\/\/app\.example\.com\/back\?scope=repo%3Aread&state=s%261#access_token=\w{40}&/,
    },
    { type: "code", address: /^https:\/\/app\.example\.com\/back\?code=\w{40}&state=s%261$/ },
  ])("leads a user from an application to a $type: sign in, allow, and back", async ({ type, address }) => {
    const { registry, person, authorize } = await openWorld();
    await using _ = registry;

    const signIn = await person.open(authorize(type));
    const consent = await person.send(signIn, "/signin", right);
    const back = await person.send(consent, "/oauth/authorizeapp");

    expect([signIn.status, consent.status, back.status]).toEqual([401, 200, 302]);
    expect(consent.address).toBe(authorize(type));
    expect(consent.html).toContain("<strong>Deploy</strong> of <strong>acme</strong> asks to act for alice");
    expect(consent.html).toContain("Signed in as <strong>alice</strong>");
    expect(back.address).toMatch(address);
  });

  it("tells the application when the user denies", async () => {
    const { registry, person, authorize } = await openWorld();
    await using _ = registry;

    const consent = await person.send(await person.open(authorize("code")), "/signin", right);
    const back = await person.send(consent, "/oauth/denyapp");

    expect(back.address).toBe(`${redirect_uri}?error=access_denied&state=s%261`);
  });

  it("is a page that cannot be framed, cached or injected into, works without scripts and with screen readers", async () => {
    const { registry, person, authorize } = await openWorld({ settings: { title: "<Acme's>" } });
    await using _ = registry;

    const page = await person.open(authorize("code"));
    const refused = await person.send(page, "/signin", wrong);

    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "set-cookie": expect.stringMatching(/^plimsoll_session=\w{48}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
    });
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/app\.example\.com; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(page.html).toContain('<html lang="en">');
    expect(page.html).toContain("<title>Sign in to &lt;Acme&#39;s&gt;</title>");
    expect(page.html).not.toContain("<script");
    for (const [, id] of page.html.matchAll(/<input id="(\w+)"/g)) expect(page.html).toContain(`<label for="${id}">`);
    expect(refused.html).toContain("<title>Refused: Sign in to");
    expect(refused.html).toContain('<p id="problem" role="alert">Invalid username or password</p>');
    expect(refused.html).toContain("<h1>Sign in to &lt;Acme&#39;s&gt;</h1>");
    expect(refused.html).toMatch(/name="username" value="alice" .* aria-invalid="true" aria-describedby="problem">/);
    expect(refused.html).toMatch(/type="password" .* autofocus aria-invalid="true" aria-describedby="problem">/);
    expect(refused.html).not.toContain("wrong-password");
  });

  it.each([
    { why: "a wrong password", typed: wrong },
    { why: "an unknown name", typed: { username: "nobody", password: testPassword } },
    { why: "an organization", typed: { username: "acme", password: testPassword } },
    { why: "nothing", typed: {} },
  ])("refuses $why in the same words, and keeps where to go", async ({ typed }) => {
    const { registry, person, authorize } = await openWorld();
    await using _ = registry;

    const refused = await person.send(await person.open(authorize("code")), "/signin", typed);
    registry.time.now += 1000;
    const consent = await person.send(refused, "/signin", right);

    expect(refused.status).toBe(403);
    expect(refused.html).toContain(">Invalid username or password</p>");
    expect(consent.address).toBe(authorize("code"));
  });

  it("makes a client that guesses wait, as the operation does", async () => {
    const { registry, person } = await openWorld();
    await using _ = registry;
    const page = await person.open("/signin");

    await person.send(page, "/signin", wrong);
    await spendGuesses(registry);
    const tooSoon = await person.send(page, "/signin", right);
    registry.time.now += 300_000;
    const inTime = await person.send(page, "/signin", right);

    expect([tooSoon.status, tooSoon.headers["retry-after"], inTime.status]).toEqual([429, "300", 200]);
    expect(tooSoon.html).toContain("try again in 300 s");
    expect(inTime.html).toContain("signed in as <strong>alice</strong>");
  });

  it.each([
    "//evil.example/",
    "/\\evil.example/",
    "https://evil.example/",
    "/..//evil.example/",
    "javascript:alert(1)",
  ])("leads to no other site: next=%s", async (next) => {
    const { registry, person } = await openWorld();
    await using _ = registry;

    const page = await person.open(`/signin?${new URLSearchParams({ next })}`);
    const signedIn = await person.send(page, "/signin", { ...right, next });
    const again = await person.open(`/signin?${new URLSearchParams({ next })}`);

    expect(page.html).not.toContain("evil.example");
    expect([signedIn.address, again.status]).toEqual(["/signin", 200]);
  });

  it("begins a new session, whose id was never shown before, and ends the one that was there", async () => {
    const { registry, person } = await openWorld();
    await using _ = registry;
    const page = await person.open("/signin");
    const attacker = openPerson(registry);
    attacker.cookie = person.cookie;

    await person.send(page, "/signin", right);
    const seen = await attacker.open("/signin");

    expect(seen.html).toContain('<label for="password">');
    expect(person.cookie).not.toBe(attacker.cookie);
    expect(await registry.usageLog()).toContainEqual({
      kind: "login_success",
      metadata: { type: "session", kind: "user", useragent: "Firefox" },
    });
  });

  it.each([
    { what: "without a CSRF token", fields: { _csrf_token: "" } },
    { what: "with another's", fields: { _csrf_token: "X".repeat(48) } },
  ])("takes no form $what", async ({ fields }) => {
    const { registry, person } = await openWorld();
    await using _ = registry;
    const page = await person.open("/signin");

    const refused = await person.send(page, "/signin", { ...right, ...fields });
    const withoutCookie = await openPerson(registry).send(page, "/signin", right);

    expect([refused.status, withoutCookie.status]).toEqual([403, 403]);
    expect(refused.html).toContain("This form is too old");
    expect((await person.open("/signin")).html).toContain('<label for="password">');
  });

  it("signs out of every session, and offers the page again to another user", async () => {
    const { registry, person, authorize } = await openWorld();
    await using _ = registry;
    const consent = await person.send(await person.open(authorize("code")), "/signin", right);
    const phone = openPerson(registry);
    await phone.send(await phone.open("/signin"), "/signin", right);

    const forged = await person.send(consent, "/signout", { _csrf_token: "" });
    const out = await person.send(consent, "/signout");
    const asBob = await person.send(out, "/signin", { ...right, username: "bob" });

    expect([forged.status, out.status, asBob.status]).toEqual([403, 200, 403]);
    expect(out.html).toContain('<p role="status">You are signed out.</p>');
    expect((await phone.open("/signin")).html).toContain('<label for="password">');
    expect(asBob.html).toContain("Only admins of acme");
    expect(hiddenFieldsOf(asBob, "/signout").next).toBe(authorize("code"));
  });

  const [creation, recovery] = ["/account?view=new", "/account?view=recovery"];
  const mailer = { send: async () => {} };

  it.each([
    { to: "both", options: { accountPage: "/account", ports: { mailer } }, links: [creation, recovery] },
    { to: "no recovery without mail", options: { accountPage: "/account" }, links: [creation] },
    {
      to: "no creation where visitors may not",
      options: { accountPage: "/account", ports: { mailer }, features: { userCreation: false } },
      links: [recovery],
    },
    { to: "neither where there is no such page", options: { ports: { mailer } }, links: [] },
  ])("leads those who cannot sign in to what they may do: $to", async ({ options, links }) => {
    const { registry, person } = await openWorld(options);
    await using _ = registry;

    const page = await person.open("/signin");
    const refused = await person.send(page, "/signin", wrong);

    for (const each of [page, refused]) expect(linksOf(each)).toEqual(links);
  });

  it("keeps the return path in the links for users who cannot sign in", async () => {
    const { registry, person } = await openWorld({ accountPage: "/account", ports: { mailer } });
    await using _ = registry;

    const [, ...kept] = linksOf(await person.open("/signin?next=/a%3Fb=c%26d"));
    const elsewhere = linksOf(await person.open("/signin?next=//evil.example"));

    expect(kept).toEqual([`${recovery}&next=%2Fa%3Fb%3Dc%26d`]);
    expect(elsewhere).toEqual([creation, recovery]);
  });

  it("sends no page to programs", async () => {
    const { registry, authorize } = await openWorld();
    await using _ = registry;

    const answer = await registry.app.inject({ url: authorize("code") });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ error: "Sign in first, then open this page again" });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });
});
