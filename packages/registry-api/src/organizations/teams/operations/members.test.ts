import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/team";
const mailer = { send: async () => {} };

async function openAcme(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const [ann, bob, eve] = [await registry.user("ann"), await registry.user("bob"), await registry.user("eve")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob] });
  const owner = await registry.session(ann);
  await owner("PUT", "/organization/acme/robots/ci");
  await owner("PUT", "/user/robots/ci");
  await owner("PUT", `${path}/dev`, { role: "member" });
  return { registry, ann, bob, eve, organization, owner };
}

const user = (name: string, { invited = false }: { readonly invited?: boolean } = {}) => ({
  name,
  kind: "user",
  is_robot: false,
  avatar: avatarOf("user", name, `${name}@example.com`),
  invited,
});

describe("teamMemberOperations", () => {
  it("add a user to a team, show them, and remove them", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const added = await owner("PUT", `${path}/dev/members/eve`);
    const robot = await owner("PUT", `${path}/dev/members/acme%2Bci`);
    const again = await owner("PUT", `${path}/dev/members/eve`);
    const listed = await owner("GET", `${path}/dev/members`);
    const removed = await owner("DELETE", `${path}/dev/members/eve`);
    const missing = await owner("DELETE", `${path}/dev/members/eve`);

    const robotView = { name: "acme+ci", is_robot: true, kind: "user", avatar: avatarOf("robot", "acme+ci") };
    expect(added).toMatchObject({ status: 200, body: user("eve") });
    expect(robot.body).toEqual({ ...robotView, invited: false });
    expect(again).toMatchObject({ status: 400, body: { detail: "User eve is already a member of team dev" } });
    expect(listed.body).toEqual({ name: "dev", members: [robot.body, user("eve")], can_edit: true });
    expect(removed.status).toBe(204);
    expect(missing).toMatchObject({ status: 400, body: { detail: "User eve does not belong to team dev" } });
    expect((await registry.usageLog()).slice(3)).toEqual([
      { kind: "org_add_team_member", metadata: { member: "eve", team: "dev" } },
      { kind: "org_add_team_member", metadata: { member: "acme+ci", team: "dev" } },
      { kind: "org_remove_team_member", metadata: { member: "eve", team: "dev" } },
    ]);
  });

  it.each([
    { method: "PUT", team: "dev", name: "nobody", status: 400, detail: "Unknown user" },
    { method: "PUT", team: "dev", name: "acme", status: 400, detail: "Unknown user" },
    { method: "PUT", team: "dev", name: "ann+ci", status: 400, detail: /^Cannot add the specified robot/ },
    {
      method: "PUT",
      team: "nothing",
      name: "eve",
      status: 404,
      detail: "The organization acme has no team nothing",
    },
    {
      method: "DELETE",
      team: "nothing",
      name: "bob",
      status: 404,
      detail: "The organization acme has no team nothing",
    },
    { method: "DELETE", team: "members", name: "nobody", status: 404, detail: "There is no user or robot nobody" },
    { method: "DELETE", team: "owners", name: "ann", status: 400, detail: /^Cannot remove ann: no administrator/ },
  ])("answer $method of $name in $team with $status", async ({ method, team, name, status, detail }) => {
    const { registry, owner } = await openAcme({ ports: { mailer } });
    await using _ = registry;

    const answer = await owner(method, `${path}/${team}/members/${encodeURIComponent(name)}`);

    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(detail);
  });

  it.each([
    { who: "anonymous", sees: 401, changes: 401 },
    { who: "eve", sees: 403, changes: 403 },
    { who: "bob", sees: 200, changes: 403, canEdit: false },
    { who: "ann", sees: 200, changes: 200, canEdit: true },
    { who: "auditor", sees: 200, changes: 403, canEdit: false },
    { who: "root", sees: 403, changes: 403 },
  ])("answer $who with $sees and $changes", async ({ who, sees, changes, canEdit }) => {
    const { registry, ann, bob, eve } = await openAcme();
    await using _ = registry;
    const account = { ann, bob, eve }[who] ?? (await registry.user(who));
    const call = who === "anonymous" ? registry.anonymous : await registry.session(account);

    const shown = await call("GET", `${path}/members/members`);

    expect(shown.status).toBe(sees);
    expect(shown.body.can_edit).toBe(canEdit);
    expect((await call("PUT", `${path}/members/members/eve`)).status).toBe(changes);
  });

  it("hide a team from members of others", async () => {
    const { registry, bob } = await openAcme();
    await using _ = registry;
    const member = await registry.session(bob);

    expect((await member("GET", `${path}/dev/members`)).status).toBe(403);
    expect((await member("GET", `${path}/nothing/members`)).status).toBe(403);
    expect((await (await registry.token(bob, "repo:create"))("GET", `${path}/members/members`)).status).toBe(403);
    expect((await (await registry.token(bob, "org:admin"))("GET", `${path}/members/members`)).status).toBe(200);
  });

  it("add strangers at once where users are not asked first", async () => {
    const { registry, owner } = await openAcme({ ports: { mailer }, features: { requireTeamInvite: false } });
    await using _ = registry;

    expect((await owner("PUT", `${path}/dev/members/eve`)).body).toEqual(user("eve"));
  });
});
