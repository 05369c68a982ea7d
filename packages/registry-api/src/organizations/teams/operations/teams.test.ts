import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../../../fixtures/test-content.ts";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/team";

async function openAcme() {
  const registry = await openTestRegistry();
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob] });
  return { registry, ann, bob, organization, owner: await registry.session(ann) };
}

describe("teamOperations", () => {
  it("make, change and delete a team, and log what is different", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const made = await owner("PUT", `${path}/dev`, { role: "creator" });
    const same = await owner("PUT", `${path}/dev`, { role: "creator" });
    const changed = await owner("PUT", `${path}/dev`, { role: "admin", description: "*all*" });
    const deleted = await owner("DELETE", `${path}/dev`);

    const team = { name: "dev", description: "", can_view: true, role: "creator" };
    expect(made).toMatchObject({ status: 200, body: { ...team, new_team: true, avatar: { kind: "team" } } });
    expect(same.body).toEqual({ ...made.body, new_team: false });
    expect(changed.body).toEqual({ ...same.body, role: "admin", description: "*all*" });
    expect(deleted.status).toBe(204);
    expect((await owner("GET", `${path}/dev/members`)).status).toBe(404);
    expect(await registry.usageLog()).toEqual([
      { kind: "org_create_team", metadata: { team: "dev" } },
      { kind: "org_set_team_description", metadata: { team: "dev", description: "*all*" } },
      { kind: "org_set_team_role", metadata: { team: "dev", role: "admin" } },
      { kind: "org_delete_team", metadata: { team: "dev" } },
    ]);
  });

  it.each([
    { method: "PUT", name: "Dev", body: { role: "member" }, detail: /^Invalid team name Dev/ },
    { method: "PUT", name: "d", body: { role: "member" }, detail: /^Invalid team name d/ },
    { method: "PUT", name: "dev", body: { role: "owner" }, detail: /^body\/role/ },
    { method: "PUT", name: "dev", body: {}, detail: /^body/ },
    { method: "PUT", name: "owners", body: { role: "creator" }, detail: /^Cannot remove admin from team owners/ },
    { method: "DELETE", name: "dev", detail: /^Team 'dev' is not a team in org 'acme'/ },
    {
      method: "DELETE",
      name: "owners",
      detail: /^Deleting team 'owners' would remove admin ability for every user in organization 'acme'/,
    },
  ])("refuse $method of $name $body", async ({ method, name, body, detail }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const answer = await owner(method, `${path}/${name}`, body);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toMatch(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("keep the caller's only admin team, although others administer too", async () => {
    const { registry, owner, bob, organization } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/chiefs`, { role: "admin" });
    await owner("PUT", `${path}/chiefs/members/bob`);
    const chief = await registry.session(bob);

    const refused = [
      await owner("DELETE", `${path}/owners`),
      await owner("PUT", `${path}/owners`, { role: "member" }),
      await owner("DELETE", `${path}/owners/members/ann`),
    ];
    const allowed = await chief("DELETE", `${path}/owners`);

    expect(refused.map(({ status, body }) => [status, body.detail])).toEqual([
      [400, "Deleting team 'owners' would remove admin ability for user 'ann' in organization 'acme'"],
      [400, "Cannot remove admin from team owners"],
      [400, "User cannot remove themselves from their only admin team."],
    ]);
    expect(allowed.status).toBe(204);
    expect(organization.username).toBe("acme");
  });

  it("show the roles of a team on repositories to admins", async () => {
    const { registry, owner, bob, organization } = await openAcme();
    await using _ = registry;
    const { db } = registry.store;
    const [app, gone] = [
      await addTestRepository(db, organization.id, "app"),
      await addTestRepository(db, organization.id, "gone"),
    ];
    const team_id = `${organization.id}-member`;
    for (const repository_id of [app, gone]) {
      await db.insertInto("team_permission").values({ repository_id, team_id, role: "write" }).execute();
    }
    await db.updateTable("image_repository").set({ state: "deleted" }).where("id", "=", gone).execute();
    const calls = [
      registry.anonymous,
      await registry.session(bob),
      await registry.token(await registry.user("auditor"), "repo:read"),
    ];

    const shown = await owner("GET", `${path}/members/permissions`);
    const others = await Promise.all(calls.map((call) => call("GET", `${path}/members/permissions`)));

    expect(shown.body).toEqual({ permissions: [{ repository: { name: "app", is_public: false }, role: "write" }] });
    expect(others.map(({ status }) => status)).toEqual([401, 403, 200]);
    expect((await owner("GET", `${path}/nothing/permissions`)).status).toBe(404);
    const { body } = await owner("GET", "/organization/acme");
    expect(body.teams.members).toMatchObject({ repo_count: 1, avatar: avatarOf("team", "members", team_id) });
  });

  it("are refused to members", async () => {
    const { registry, bob } = await openAcme();
    await using _ = registry;
    const member = await registry.session(bob);

    expect((await member("PUT", `${path}/dev`, { role: "member" })).status).toBe(403);
    expect((await member("DELETE", `${path}/members`)).status).toBe(403);
  });
});
