import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { sendMailJob } from "@plimsoll/registry/mail/jobs";
import type { Mail } from "@plimsoll/registry/ports";
import { runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/team";

async function openAcme(options: TestRegistryOptions = {}) {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  const registry = await openTestRegistry({ ...options, ports: { mailer } });
  const { store, time } = registry;
  const [ann, bob, eve] = [await registry.user("ann"), await registry.user("bob"), await registry.user("eve")];
  await registry.organization("acme", { admin: [ann], member: [bob] });
  const jobs = [sendMailJob.withContext({ mailer, secrets: createSealer(new Uint8Array(32).fill(7), "secrets") })];
  return {
    registry,
    ann,
    eve,
    owner: await registry.session(ann),
    invited: await registry.session(eve),
    /** The messages so far. */
    async mails() {
      await runDueJobs({ store, jobs, ...fakeTime(time.now) });
      return sent;
    },
    /** The codes of the pending invites. */
    async codes() {
      const rows = await store.db.selectFrom("team_invite").select("id").orderBy("created_at").execute();
      return rows.map(({ id }) => `urn:teaminvite:${id}`);
    },
    async notifications() {
      const rows = await store.db.selectFrom("user_notification").selectAll().execute();
      return rows.map(({ account_id, kind, metadata }) => ({ account_id, kind, metadata: JSON.parse(metadata) }));
    },
  };
}

describe("teamInviteOperations", () => {
  it("ask a stranger, who accepts", async () => {
    const { registry, owner, invited, eve, mails, codes, notifications } = await openAcme();
    await using _ = registry;

    const asked = await owner("PUT", `${path}/members/members/eve`);
    const twice = await owner("PUT", `${path}/members/members/eve`);
    const [code = ""] = await codes();
    const pending = await owner("GET", `${path}/members/members?includePending=true`);
    const told = await notifications();
    const [mail, ...others] = await mails();
    const accepted = await invited("PUT", `/teaminvite/${code}`);
    const again = await invited("PUT", `/teaminvite/${code}`);

    expect(asked).toMatchObject({ status: 200, body: { name: "eve", invited: true } });
    expect(twice.body).toEqual(asked.body);
    expect(pending.body.members).toMatchObject([
      { name: "bob", invited: false },
      { name: "eve", invited: true },
    ]);
    const metadata = { code, inviter: "ann", org: "acme", team: "members" };
    expect(told).toEqual([{ account_id: eve.id, kind: "org_team_invite", metadata }]);
    expect(mail).toMatchObject({ to: "eve@example.com", text: expect.stringContaining(encodeURIComponent(code)) });
    expect(others).toEqual([]);
    expect(accepted).toMatchObject({ status: 200, body: { org: "acme", team: "members" } });
    expect(again.status).toBe(400);
    expect(await notifications()).toEqual([]);
    expect((await invited("GET", `${path}/members/members`)).body.members).toHaveLength(2);
    expect(await registry.usageLog()).toEqual([
      { kind: "org_invite_team_member", metadata: { user: "eve", member: "eve", team: "members" } },
      {
        kind: "org_team_member_invite_accepted",
        metadata: { member: "eve", team: "members", inviter: "ann" },
      },
    ]);
  });

  it("end after 30 days: they say so, are shown no more, and can be made again", async () => {
    const { registry, ann, eve, codes, mails, ...early } = await openAcme();
    await using _ = registry;
    await early.owner("PUT", `${path}/members/members/eve`);
    const [code = ""] = await codes();
    registry.time.now += 30 * 86_400_000 + 1;
    const [owner, invited] = [await registry.session(ann), await registry.session(eve)];
    const fresh = await registry.session(await registry.user("fay"));

    const late = await invited("PUT", `/teaminvite/${code}`);
    const shown = await owner("GET", `${path}/members/members?includePending=true`);
    const foreign = await fresh("PUT", `/teaminvite/${code}`);
    await owner("PUT", `${path}/members/members/eve`);
    const [again = ""] = await codes();
    const accepted = await invited("PUT", `/teaminvite/${again}`);

    expect(late.status).toBe(400);
    expect(late.body.detail).toBe(
      "The invite to the team members of acme has ended after 30 days: ask ann for another",
    );
    expect(shown.body.members).toMatchObject([{ name: "bob", invited: false }]);
    expect(foreign.body.detail).toContain("There is no such invite for this user");
    expect([again === code, accepted.status]).toEqual([false, 200]);
    expect((await mails()).map(({ text }) => text.includes("The invite ends after 30 days."))).toEqual([true, true]);
  });

  it("can be accepted until the last moment, without those of the organization that have ended", async () => {
    const { registry, eve, owner, codes } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/members/eve`);
    registry.time.now += 1;
    await owner("PUT", `${path}/owners/members/eve`);
    const [, second = ""] = await codes();
    registry.time.now += 30 * 86_400_000;
    const invited = await registry.session(eve);

    const accepted = await invited("PUT", `/teaminvite/${second}`);

    expect(accepted.body).toEqual({ org: "acme", team: "owners" });
    expect((await invited("GET", `${path}/members/members`)).body.members).toHaveLength(1);
    expect(await codes()).toHaveLength(1);
  });

  it("confirm no e-mail address any more once they have ended", async () => {
    const { registry, owner, codes } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/invite/new@example.com`);
    const [code = ""] = await codes();
    registry.time.now += 30 * 86_400_000 + 1;

    const body = { username: "newcomer", password: "password1", email: "new@example.com", invite_code: code };
    const answer = await registry.anonymous("POST", "/user/", body);

    expect(answer.body).toEqual({ awaiting_verification: true });
  });

  it("accept every invite of the organization at once", async () => {
    const { registry, owner, invited, codes } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/dev`, { role: "creator" });
    await owner("PUT", `${path}/members/members/eve`);
    await owner("PUT", `${path}/dev/members/eve`);
    const [code] = await codes();

    await invited("PUT", `/teaminvite/${code}`);

    const { body } = await invited("GET", "/organization/acme");
    expect(body.teams).toMatchObject({ dev: { can_view: true }, members: { can_view: true } });
    expect(await codes()).toEqual([]);
  });

  it("let the invited decline, and admins take it back", async () => {
    const { registry, owner, invited, codes, notifications } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/members/eve`);
    const [code] = await codes();

    const declined = await invited("DELETE", `/teaminvite/${code}`);
    await owner("PUT", `${path}/members/members/eve`);
    const takenBack = await owner("DELETE", `${path}/members/members/eve`);

    expect([declined.status, takenBack.status]).toEqual([204, 204]);
    expect([await codes(), await notifications()]).toEqual([[], []]);
    expect((await registry.usageLog()).filter(({ kind }) => kind !== "org_invite_team_member")).toEqual([
      { kind: "org_team_member_invite_declined", metadata: { member: "eve", team: "members", inviter: "ann" } },
      { kind: "org_delete_team_member_invite", metadata: { user: "eve", team: "members", member: "eve" } },
    ]);
  });

  it("ask an e-mail address: only its confirmed owner accepts, and no user can decline", async () => {
    const { registry, owner, invited, eve, mails, codes } = await openAcme();
    await using _ = registry;

    const asked = await owner("PUT", `${path}/members/invite/Eve@Example.com`);
    const [code] = await codes();
    const [mail] = await mails();
    const unconfirmed = await invited("PUT", `/teaminvite/${code}`);
    await registry.store.db.updateTable("account").set({ verified: 1 }).where("id", "=", eve.id).execute();
    const declined = await invited("DELETE", `/teaminvite/${code}`);
    const accepted = await (await registry.session(eve))("PUT", `/teaminvite/${code}`);

    expect(asked.body).toMatchObject({ email: "eve@example.com", kind: "invite", invited: true });
    expect(mail).toMatchObject({ to: "eve@example.com" });
    expect([unconfirmed.status, declined.status, accepted.status]).toEqual([400, 400, 200]);
    expect((await registry.usageLog())[0]).toEqual({
      kind: "org_invite_team_member",
      metadata: { email: "eve@example.com", member: "eve@example.com", team: "members" },
    });
  });

  it("withdraw the invite of an e-mail address", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/invite/x@example.com`);

    const pending = await owner("GET", `${path}/members/members?includePending=true`);
    const first = await owner("DELETE", `${path}/members/invite/x@example.com`);
    const second = await owner("DELETE", `${path}/members/invite/x@example.com`);

    expect(pending.body.members.at(-1)).toMatchObject({ email: "x@example.com", kind: "invite" });
    expect([first.status, second.status]).toEqual([204, 404]);
  });

  it("keep an invite from every other user", async () => {
    const { registry, owner, codes } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/members/eve`);
    const [code] = await codes();

    const answers = [
      await owner("PUT", `/teaminvite/${code}`),
      await owner("DELETE", `/teaminvite/${code}`),
      await owner("PUT", "/teaminvite/urn:teaminvite:00000000-0000-0000-0000-000000000000"),
      await registry.anonymous("PUT", `/teaminvite/${code}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 401]);
    expect(await codes()).toEqual([code]);
  });

  it("are deleted with the team or the organization", async () => {
    const { registry, owner, notifications, codes } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/dev`, { role: "member" });
    for (const team of ["dev", "members"]) await owner("PUT", `${path}/${team}/members/eve`);

    await owner("DELETE", `${path}/dev`);
    const afterTeam = [await codes(), await notifications()];
    await owner("DELETE", "/organization/acme");

    expect(afterTeam.map(({ length }) => length)).toEqual([1, 1]);
    expect([await codes(), await notifications()]).toEqual([[], []]);
  });

  it("know no e-mail addresses where nothing is mailed", async () => {
    await using registry = await openTestRegistry();
    const ann = await registry.user("ann");
    await registry.organization("acme", { admin: [ann], member: [] });
    const owner = await registry.session(ann);

    expect((await owner("PUT", `${path}/members/invite/x@example.com`)).status).toBe(404);
    expect((await owner("DELETE", `${path}/members/invite/x@example.com`)).status).toBe(404);
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "an invite that is answered several times at the same moment, on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("is answered once", async () => {
      const { registry, owner, invited, codes } = await openAcme({ engine });
      await using _ = registry;
      await owner("PUT", `${path}/members/members/eve`);
      const [code] = await codes();

      const methods = ["PUT", "DELETE", "PUT", "DELETE"] as const;
      const answers = await Promise.all(methods.map((method) => invited(method, `/teaminvite/${code}`)));

      const accepted = answers.some(({ status }) => status === 200);
      const { body } = await owner("GET", `${path}/members/members`);
      const names = body.members.map(({ name }: { readonly name: string }) => name);
      const kinds = (await registry.usageLog()).map(({ kind }) => kind);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(names.includes("eve")).toBe(accepted);
      expect(kinds.filter((kind) => /invite_(?:accepted|declined)$/.test(kind))).toHaveLength(1);
    });
  },
);
