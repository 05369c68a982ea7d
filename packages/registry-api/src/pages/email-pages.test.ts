import { withoutUndefined } from "@plimsoll/core/internal";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../fixtures/test-browser.ts";
import { codeIn, queuedMail } from "../fixtures/test-mail.ts";
import { openTestRegistry, type TestRegistryOptions } from "../fixtures/test-registry.ts";

const mailer = { send: async () => {} };

/** A registry with mail and Alice in it, whose address is confirmed. */
async function openWorld(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry({ ...options, ports: { mailer } });
  const alice = await userWithPassword(registry, "alice");
  await registry.store.db.updateTable("account").set({ verified: 1 }).where("id", "=", alice.id).execute();
  const lastCode = async () => codeIn((await queuedMail(registry)).at(-1));
  return { registry, alice, browser: openBrowser(registry), lastCode };
}

describe("registerEmailPages", () => {
  it("confirms an address with a button, not with the link", async () => {
    const { registry, browser, lastCode } = await openWorld();
    await using _ = registry;
    await browser.call("POST", "/user/", { username: "dora", password: "long-enough", email: "dora@example.com" });
    const code = await lastCode();

    const page = await browser.open(`/confirm?code=${code}`);
    const early = await browser.signIn("dora", "long-enough");
    const confirmed = await browser.submit("/confirm", { code });
    const signedIn = await browser.signIn("dora", "long-enough");
    const again = await browser.submit("/confirm", { code });

    expect(page.body).toContain(`value="${code}"`);
    expect([page.status, early.status, confirmed.status, signedIn.status, again.status]).toEqual([
      200, 403, 200, 200, 400,
    ]);
  });

  it("makes a new address the user's once it is confirmed, unless another user has it by then", async () => {
    const { registry, alice, browser, lastCode } = await openWorld();
    await using _ = registry;
    const session = await registry.session(alice);
    await session("PUT", "/user/", { email: "new@example.com" });
    const code = await lastCode();
    registry.time.now += 1;
    await session("PUT", "/user/", { email: "taken@example.com" });
    const lateCode = await lastCode();
    await registry.user("taken");

    const late = await browser.submit("/confirm", { code: lateCode });
    const confirmed = await browser.submit("/confirm", { code });

    expect([late.status, confirmed.status]).toEqual([400, 200]);
    expect((await session("GET", "/user/")).body.email).toBe("new@example.com");
    expect(await registry.usageLog()).toEqual([
      { kind: "user_change_email", metadata: { email: "new@example.com", old_email: "alice@example.com" } },
    ]);
  });

  /** What an intruder with a stolen session asked for, and by what the owner locks the intruder out. */
  it.each([
    { asked: "a change of the address", by: "a new password", owner: { password: "owners-password" } },
    { asked: "a change of the address", by: "another address", owner: { email: "owner@example.com" } },
    { asked: "a recovery", by: "a new password", owner: { password: "owners-password" } },
  ])("ends the code for $asked when the owner chooses $by", async ({ asked, owner }) => {
    const { registry, alice, browser, lastCode } = await openWorld();
    await using _ = registry;
    const isRecovery = asked === "a recovery";
    const session = await registry.session(alice);
    if (isRecovery) await browser.call("POST", "/recovery", { email: "alice@example.com" });
    else await session("PUT", "/user/", { email: "intruder@example.com" });
    const code = await lastCode();
    registry.time.now += 1;
    const locked = await session("PUT", "/user/", owner);
    if ("email" in owner) await browser.submit("/confirm", { code: await lastCode() });

    const late = await browser.submit(isRecovery ? "/recovery" : "/confirm", { code, password: "intruders-password" });

    expect([locked.status, late.status]).toEqual([200, 400]);
    const rows = await registry.store.db.selectFrom("account").select("email").execute();
    expect(rows).toEqual([{ email: owner.email ?? "alice@example.com" }]);
  });

  it("uses a code once although many requests show it at the same time", async () => {
    const { registry, browser, lastCode } = await openWorld();
    await using _ = registry;
    await browser.call("POST", "/recovery", { email: "alice@example.com" });
    const code = await lastCode();

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => browser.submit("/recovery", { code, password: `password-number-${at}` })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  it("keeps the code for a new address that is wanted together with a new password", async () => {
    const { registry, alice, browser, lastCode } = await openWorld();
    await using _ = registry;
    const session = await registry.session(alice);

    await session("PUT", "/user/", { email: "new@example.com", password: "another-password" });

    expect((await browser.submit("/confirm", { code: await lastCode() })).status).toBe(200);
  });

  it("gives a new password once, ends every session, and forgives failures", async () => {
    const { registry, alice, browser, lastCode } = await openWorld();
    await using _ = registry;
    const session = await registry.session(alice);
    await browser.call("POST", "/recovery", { email: "alice@example.com" });
    const code = await lastCode();
    await browser.signIn("alice", "wrong-password");

    const page = await browser.open(`/recovery?code=${code}`);
    const weak = await browser.submit("/recovery", { code, password: "weak" });
    const changed = await browser.submit("/recovery", { code, password: "another-password" });
    const again = await browser.submit("/recovery", { code, password: "third-password" });

    expect([page.status, weak.status, changed.status, again.status]).toEqual([200, 400, 200, 400]);
    expect((await session("GET", "/user/")).status).toBe(401);
    expect((await browser.signIn("alice", "another-password")).status).toBe(200);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual(["account_change_password", "login_success"]);
  });

  it.each([
    { why: "is past its time", later: 1_800_000, form: "/recovery", status: 400 },
    { why: "is for something else", later: 0, form: "/confirm", status: 400 },
    { why: "still lives", later: 1_799_000, form: "/recovery", status: 200 },
  ])("answers $status to a code that $why", async ({ later, form, status }) => {
    const { registry, browser, lastCode } = await openWorld();
    await using _ = registry;
    await browser.call("POST", "/recovery", { email: "alice@example.com" });
    const code = await lastCode();
    registry.time.now += later;

    expect((await browser.submit(form, { code, password: "another-password" })).status).toBe(status);
  });

  it.each([
    { asked: "/alice/app?view=tags", link: "/signin?next=%2Falice%2Fapp%3Fview%3Dtags" },
    { asked: "//evil.example", link: "/signin" },
    { asked: undefined, link: "/signin" },
  ])("leads back to $asked after a confirmation and after a recovery: $link", async ({ asked: next, link }) => {
    const { registry, browser } = await openWorld();
    await using _ = registry;
    const linked = async () => new URL(/http\S+/.exec((await queuedMail(registry)).at(-1)?.text ?? "")?.[0] ?? "");
    const follow = async (more: object) => {
      const address = await linked();
      const fields = Object.fromEntries(address.searchParams);
      const page = await browser.open(`${address.pathname}${address.search}`);
      for (const value of Object.values(fields))
        expect(page.body).toContain(`value="${value.replaceAll("&", "&amp;")}"`);
      return (await browser.submit(address.pathname, { ...fields, ...more })).body;
    };

    await browser.call("POST", "/user/", {
      username: "dora",
      password: "long-enough",
      email: "dora@example.com",
      next,
    });
    const confirmed = await follow({});
    registry.time.now += 1;
    await browser.call("POST", "/recovery", { email: "dora@example.com", next });
    const recovered = await follow({ password: "another-password" });

    for (const body of [confirmed, recovered]) expect(body).toContain(`<a href="${link}">Sign in</a>`);
  });

  it("escapes what is in the address, and knows no codes that were not sent", async () => {
    const { registry, browser } = await openWorld();
    await using _ = registry;

    const page = await browser.open(`/recovery?code=${encodeURIComponent('"><script>')}`);

    expect(page.body).toContain("&quot;&gt;&lt;script&gt;");
    expect(page.body).not.toContain("<script>");
    expect((await browser.submit("/recovery", { code: "", password: "another-password" })).status).toBe(400);
    expect((await browser.submit("/confirm", {})).status).toBe(400);
  });

  it("is not there where there is no mail", async () => {
    await using registry = await openTestRegistry();

    expect((await openBrowser(registry).open("/recovery?code=x")).status).toBe(404);
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a code that is sent several times at the same moment, on $title",
  ({ engine }) => {
    const times = [0, 1, 2, 3];

    it.skipIf(engine.skip !== undefined)("changes the password once", async () => {
      const { registry, browser, lastCode } = await openWorld({ engine });
      await using _ = registry;
      await browser.call("POST", "/recovery", { email: "alice@example.com" });
      const code = await lastCode();
      const passwordOf = (index: number) => `password-number-${index}`;

      const answers = await Promise.all(
        times.map((index) => openBrowser(registry).submit("/recovery", { code, password: passwordOf(index) })),
      );
      const statuses = answers.map(({ status }) => status);
      const signedIn = await browser.signIn("alice", passwordOf(statuses.indexOf(200)));

      expect(statuses.toSorted()).toEqual([200, 400, 400, 400]);
      expect(signedIn.status).toBe(200);
      expect((await registry.usageLog()).filter(({ kind }) => kind === "account_change_password")).toHaveLength(1);
    });

    it.skipIf(engine.skip !== undefined)("confirms the address once", async () => {
      const { registry, alice, lastCode } = await openWorld({ engine });
      await using _ = registry;
      const session = await registry.session(alice);
      await session("PUT", "/user/", { email: "new@example.com" });
      const code = await lastCode();

      const answers = await Promise.all(times.map(() => openBrowser(registry).submit("/confirm", { code })));

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
      expect((await registry.usageLog()).filter(({ kind }) => kind === "user_change_email")).toHaveLength(1);
    });
  },
);

/** The organization acme of Ann, who asks Eve to join a team; Eve's browser, and what its user reads in the mail. */
async function openInvited(path = "members/eve") {
  const registry = await openTestRegistry({ ports: { mailer } });
  const [ann, eve] = [await registry.user("ann"), await userWithPassword(registry, "eve")];
  await registry.store.db.updateTable("account").set({ verified: 1 }).where("id", "=", eve.id).execute();
  await registry.organization("acme", { admin: [ann], member: [] });
  await (await registry.session(ann))("PUT", `/organization/acme/team/members/${path}`);
  const [mail] = await queuedMail(registry);
  const link = /http:\/\/localhost(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const code = decodeURIComponent(link.split("code=")[1] ?? "");
  const browser = openBrowser(registry);
  const answer = (fields: Readonly<Record<string, string>>) =>
    browser.submit("/confirminvite", { _csrf_token: browser.csrfToken ?? "", code, ...fields });
  return { registry, eve, browser, link, answer };
}

describe("registerInvitePage", () => {
  it("lets a user who follows the link of a mail join the team, once they have signed in", async () => {
    const { registry, eve, browser, link, answer } = await openInvited();
    await using _ = registry;

    const early = await registry.app.inject({ url: link, headers: { accept: "text/html" } });
    await browser.signIn("eve");
    const page = await browser.open(link);
    const joined = await answer({ answer: "accept" });
    const again = await answer({ answer: "accept" });

    expect([early.statusCode, page.status, joined.status, again.status]).toEqual([401, 200, 200, 400]);
    expect(early.body).toContain(`name="next" value="${link}"`);
    expect(page.body).toContain("Join members of acme?");
    expect(joined.body).toContain("You are in the team members of acme.");
    const members = await (await registry.session(eve))("GET", "/organization/acme/team/members/members");
    expect(members.body.members).toMatchObject([{ name: "eve", invited: false }]);
    const metadata = { member: "eve", team: "members", inviter: "ann" };
    expect((await registry.usageLog()).at(-1)).toEqual({ kind: "org_team_member_invite_accepted", metadata });
  });

  it("lets users decline who are invited by name", async () => {
    const { registry, browser, link, answer } = await openInvited();
    await using _ = registry;
    await browser.signIn("eve");

    const page = await browser.open(link);
    const declined = await answer({ answer: "decline" });

    expect(page.body).toContain("Decline");
    expect(declined.status).toBe(200);
    expect(await registry.store.db.selectFrom("team_invite").selectAll().execute()).toEqual([]);
    expect((await registry.usageLog()).at(-1)?.kind).toBe("org_team_member_invite_declined");
  });

  it("lets no user decline for an e-mail address", async () => {
    const { registry, browser, link, answer } = await openInvited("invite/eve@example.com");
    await using _ = registry;
    await browser.signIn("eve");

    const page = await browser.open(link);
    const declined = await answer({ answer: "decline" });
    const joined = await answer({ answer: "accept" });

    expect(page.body).not.toContain("Decline");
    expect([declined.status, joined.status]).toEqual([400, 200]);
  });

  it.each([
    { why: "without the page's CSRF token", fields: { _csrf_token: "x" }, status: 403 },
    { why: "to an invite that there is not", fields: { code: "urn:teaminvite:x" }, status: 400 },
  ])("takes no answer $why", async ({ fields, status }) => {
    const { registry, browser, answer } = await openInvited();
    await using _ = registry;
    await browser.signIn("eve");

    expect((await answer(withoutUndefined(fields))).status).toBe(status);
    expect(await registry.store.db.selectFrom("team_invite").selectAll().execute()).toHaveLength(1);
  });

  it("shows an invite to no other user", async () => {
    const { registry, link } = await openInvited();
    await using _ = registry;
    await userWithPassword(registry, "mallory");
    await registry.store.db.updateTable("account").set({ verified: 1 }).execute();
    const browser = openBrowser(registry);
    await browser.signIn("mallory");

    expect((await browser.open(link)).status).toBe(400);
  });
});
