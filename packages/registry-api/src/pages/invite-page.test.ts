import { withoutUndefined } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../fixtures/test-browser.ts";
import { queuedMail } from "../fixtures/test-mail.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const mailer = { send: async () => {} };

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
