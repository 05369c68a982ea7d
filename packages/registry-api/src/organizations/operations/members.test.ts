import { avatarOf } from "@plimsoll/registry/values/avatar";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../../fixtures/test-content.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const acme = "/organization/acme";

/** ann owns, bob is a member with a role on `app`, eve only has a role on `app`, `acme+ci` too. */
async function openAcme(engine?: TestEngine) {
  const registry = await openTestRegistry(engine === undefined ? {} : { engine });
  const { db } = registry.store;
  const [ann, bob, eve] = [await registry.user("ann"), await registry.user("bob"), await registry.user("eve")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob], creator: [bob] });
  const other = await registry.organization("other", { admin: [bob] });
  const owner = await registry.session(ann);
  await owner("PUT", `${acme}/robots/ci`);
  const robot = await db.selectFrom("account").select("id").where("kind", "=", "robot").executeTakeFirstOrThrow();
  const app = await addTestRepository(db, organization.id, "app");
  const elsewhere = await addTestRepository(db, other.id, "elsewhere");
  const grants = [
    [app, bob.id],
    [app, eve.id],
    [app, robot.id],
    [elsewhere, bob.id],
  ] as const;
  for (const [repository_id, account_id] of grants) {
    await db.insertInto("account_permission").values({ repository_id, account_id, role: "read" }).execute();
  }
  return { registry, organization, ann, bob, eve, owner, other };
}

const shown = (name: string) => ({ name, kind: "user", avatar: avatarOf("user", name, `${name}@example.com`) });

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "organizationMemberOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("show members, collaborators and robots as what they are", async () => {
      const { registry, organization, owner } = await openAcme(engine);
      await using _ = registry;
      const team = (name: string, role: string) => ({
        name,
        avatar: avatarOf("team", name, `${organization.id}-${role}`),
      });

      const members = await owner("GET", `${acme}/members`);
      const collaborators = await owner("GET", `${acme}/collaborators`);
      const bob = await owner("GET", `${acme}/members/bob`);
      const robot = await owner("GET", `${acme}/members/acme%2Bci`);

      const bobView = {
        ...shown("bob"),
        teams: [team("creators", "creator"), team("members", "member")],
        repositories: ["app"],
      };
      const annView = { ...shown("ann"), teams: [team("owners", "admin")], repositories: [] };
      expect(members).toMatchObject({ status: 200, body: { members: [annView, bobView] } });
      expect(collaborators).toMatchObject({
        status: 200,
        body: { collaborators: [{ ...shown("eve"), repositories: ["app"] }] },
      });
      expect(bob).toMatchObject({ status: 200, body: bobView });
      expect(robot.body).toEqual({
        name: "acme+ci",
        kind: "robot",
        avatar: avatarOf("robot", "acme+ci"),
        teams: [],
        repositories: ["app"],
      });
    });

    it.skipIf(engine.skip !== undefined)("remove a member from this organization only, and log it", async () => {
      const { registry, owner, bob, other } = await openAcme(engine);
      await using _ = registry;
      const { db } = registry.store;

      const removed = await owner("DELETE", `${acme}/members/bob`);
      const again = await owner("DELETE", `${acme}/members/bob`);

      expect([removed.status, again.status]).toEqual([204, 204]);
      expect((await owner("GET", `${acme}/members/bob`)).status).toBe(404);
      const teams = db.selectFrom("team_member").select("team_id").where("account_id", "=", bob.id);
      expect(await teams.execute()).toEqual([{ team_id: `${other.id}-admin` }]);
      const grants = db.selectFrom("account_permission").selectAll().where("account_id", "=", bob.id);
      expect(await grants.execute()).toHaveLength(1);
      const logged = (await registry.usageLog()).filter(({ kind }) => kind === "org_remove_member");
      expect(logged).toEqual([{ kind: "org_remove_member", metadata: { member: "bob" } }]);
    });

    it.skipIf(engine.skip !== undefined)("keep an administrator when two remove each other at once", async () => {
      await using registry = await openTestRegistry({ engine });
      const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
      await registry.organization("acme", { admin: [ann, bob] });
      const [first, second] = [await registry.session(ann), await registry.session(bob)];

      const answers = await Promise.all([
        first("DELETE", `${acme}/members/bob`),
        second("DELETE", `${acme}/members/ann`),
      ]);

      const left = await registry.store.db.selectFrom("team_member").selectAll().execute();
      expect(left).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    });
  },
);

describe("organizationMemberOperations", () => {
  it.each([
    { method: "GET", name: "eve", status: 404 },
    { method: "GET", name: "nobody", status: 404 },
    { method: "GET", name: "acme", status: 404 },
    { method: "GET", name: "other+ci", status: 404 },
    { method: "DELETE", name: "nobody", status: 404 },
    { method: "DELETE", name: "acme+ci", status: 404 },
    { method: "DELETE", name: "eve", status: 204 },
    { method: "DELETE", name: "ann", status: 400 },
  ])("answer $method of $name with $status", async ({ method, name, status }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    expect((await owner(method, `${acme}/members/${encodeURIComponent(name)}`)).status).toBe(status);
  });

  it.each([
    { who: "anonymous", reads: 401, removes: 401 },
    { who: "bob", reads: 403, removes: 403 },
    { who: "eve", reads: 403, removes: 403 },
    { who: "auditor", reads: 200, removes: 403 },
    { who: "root", reads: 403, removes: 403 },
  ])("answer $who with $reads and $removes", async ({ who, reads, removes }) => {
    const { registry, bob, eve } = await openAcme();
    await using _ = registry;
    const account = { bob, eve }[who] ?? (await registry.user(who));
    const call = who === "anonymous" ? registry.anonymous : await registry.session(account);

    const answers = await Promise.all(
      ["members", "collaborators", "members/bob"].map((path) => call("GET", `${acme}/${path}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([reads, reads, reads]);
    expect((await call("DELETE", `${acme}/members/bob`)).status).toBe(removes);
  });
});
