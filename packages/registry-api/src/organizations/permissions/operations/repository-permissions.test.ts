import type { AccountRow } from "@plimsoll/registry/access/queries";
import { createAccount } from "@plimsoll/registry/accounts/new-account";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../../fixtures/test-registry.ts";
import { putRepository } from "../../../fixtures/test-repositories.ts";

const users = "/repository/acme/app/permissions/user";
const teams = "/repository/acme/app/permissions/team";
const place = { repo: "app", namespace: "acme" };

async function openAcme(options: Parameters<typeof openTestRegistry>[0] = {}) {
  const registry = await openTestRegistry(options);
  const boss = await registry.user("boss");
  const member = await registry.user("member");
  const stranger = await registry.user("stranger");
  const acme = await registry.organization("acme", { admin: [boss], member: [member] });
  await putRepository(registry, { namespace: acme, name: "app", creator: boss });
  await putRepository(registry, { namespace: boss, name: "own" });
  await putRobot(registry, acme, "acme+ci");
  await putRobot(registry, stranger, "stranger+ci");
  return { registry, acme, boss, member, stranger, call: await registry.session(boss) };
}

async function putRobot({ store, settings, time }: TestRegistry, owner: AccountRow, username: string): Promise<void> {
  const { id } = await createAccount(store.db, settings, { kind: "robot", username, now: time.now });
  const secret = { token_sealed: "", token_hash: username };
  const robot = { account_id: id, owner_id: owner.id, short_name: "ci", description: "", metadata: "{}", ...secret };
  await store.db.insertInto("robot").values(robot).execute();
}

function avatar(name: string) {
  return avatarOf("user", name, `${name}@example.com`);
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "repositoryUserPermissionOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("grant a role, change it and take it away", async () => {
      const { registry, call, member, stranger } = await openAcme({ engine });
      await using _ = registry;

      const granted = await call("PUT", `${users}/member`, { role: "read" });
      const changed = await call("PUT", `${users}/member`, { role: "write" });
      await call("PUT", `${users}/stranger`, { role: "read" });
      await call("PUT", `${users}/acme+ci`, { role: "write" });
      const listed = await call("GET", `${users}/`);
      const one = await call("GET", `${users}/member`);
      const reached = await (await registry.session(stranger))("GET", "/repository/acme/app");
      const deleted = await call("DELETE", `${users}/stranger`);
      const lost = await (await registry.session(stranger))("GET", "/repository/acme/app");

      const shown = { name: "member", is_robot: false, is_org_member: true, avatar: avatar(member.username) };
      expect(granted).toMatchObject({ status: 200, body: { ...shown, role: "read" } });
      expect(changed.body).toEqual({ ...shown, role: "write" });
      expect(one.body).toEqual(changed.body);
      expect(listed.body.permissions).toMatchObject({
        boss: { role: "admin", is_org_member: true },
        member: changed.body,
        stranger: { role: "read", is_org_member: false },
        "acme+ci": { role: "write", is_robot: true, is_org_member: true },
      });
      expect([reached.status, deleted.status, lost.status]).toEqual([200, 204, 403]);
      expect((await registry.usageLog()).filter(({ kind }) => kind.startsWith("delete"))).toEqual([
        { kind: "delete_repo_permission", metadata: { username: "stranger", ...place } },
      ]);
      expect((await registry.usageLog())[1]).toEqual({
        kind: "change_repo_permission",
        metadata: { username: "member", role: "write", ...place },
      });
    });
  },
);

describe("repositoryUserPermissionOperations", () => {
  it("do not speak of members where the namespace is a user's", async () => {
    const { registry, call } = await openAcme();
    await using _ = registry;

    const { body } = await call("PUT", "/repository/boss/own/permissions/user/member", { role: "read" });

    expect(body).not.toHaveProperty("is_org_member");
  });

  it("list the roles that a user has by grants and teams", async () => {
    const { registry, call } = await openAcme();
    await using _ = registry;
    await call("PUT", `${users}/member`, { role: "read" });
    await call("PUT", `${teams}/members`, { role: "write" });

    const roles = await call("GET", `${users}/member/transitive`);

    expect(roles.body.permissions.map(({ role }: { role: string }) => role).sort()).toEqual(["read", "write"]);
    expect((await call("GET", `${users}/stranger/transitive`)).status).toBe(404);
    expect((await call("GET", `${users}/nobody/transitive`)).status).toBe(404);
  });

  it.each([
    { method: "PUT", path: `${users}/nobody`, detail: "Invalid username: nobody" },
    { method: "PUT", path: `${users}/acme`, detail: "Namespace owner must always be admin." },
    { method: "PUT", path: `${users}/stranger+ci`, detail: "Cannot add robot stranger+ci under namespace acme" },
    {
      method: "PUT",
      path: "/repository/boss/own/permissions/user/boss",
      detail: "Namespace owner must always be admin.",
    },
    { method: "DELETE", path: "/repository/boss/own/permissions/user/boss", detail: "Namespace owner must" },
    { method: "DELETE", path: `${users}/member`, detail: "User does not have permission for repo." },
    { method: "GET", path: `${users}/member`, detail: "User does not have permission for repo." },
    { method: "PUT", path: `${teams}/nobody`, detail: "No team nobody in organization acme" },
    { method: "DELETE", path: `${teams}/members`, detail: "Team does not have permission for repo." },
    { method: "GET", path: `${teams}/members`, detail: "Team does not have permission for repo." },
    { method: "PUT", path: `${users}/member`, body: { role: "owner" }, detail: "role" },
    { method: "PUT", path: `${teams}/members`, body: {}, detail: "role" },
  ])("refuse $method $path: $detail", async ({ method, path, detail, body }) => {
    const { registry, call } = await openAcme();
    await using _ = registry;

    const answer = await call(method, path, method === "PUT" ? (body ?? { role: "read" }) : undefined);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toContain(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it.each([
    { who: "anonymous", read: 401, write: 401 },
    { who: "stranger", read: 403, write: 403 },
    { who: "member", read: 403, write: 403 },
    { who: "root", read: 403, write: 403 },
    { who: "auditor", read: 200, write: 403 },
  ])("answer $who with $read for reading and $write for writing", async ({ who, read, write }) => {
    const { registry, member, stranger } = await openAcme();
    await using _ = registry;
    const known = { member, stranger }[who];
    const call = who === "anonymous" ? registry.anonymous : await registry.session(known ?? (await registry.user(who)));

    for (const path of [users, teams]) expect((await call("GET", `${path}/`)).status).toBe(read);
    expect((await call("PUT", `${users}/member`, { role: "read" })).status).toBe(write);
    expect((await call("PUT", `${teams}/members`, { role: "read" })).status).toBe(write);
    expect((await call("DELETE", `${users}/boss`)).status).toBe(write);
    expect((await call("DELETE", `${teams}/members`)).status).toBe(write);
  });
});

describe("repositoryTeamPermissionOperations", () => {
  it("grant a team a role, change it and take it away", async () => {
    const { registry, call, acme, member } = await openAcme();
    await using _ = registry;
    const reader = await registry.session(member);

    await call("PUT", `${teams}/members`, { role: "read" });
    const changed = await call("PUT", `${teams}/members`, { role: "write" });
    const listed = await call("GET", `${teams}/`);
    const one = await call("GET", `${teams}/members`);
    const reached = await reader("GET", "/repository/acme/app");
    const deleted = await call("DELETE", `${teams}/members`);
    const lost = await reader("GET", "/repository/acme/app");

    const shown = { role: "write", name: "members", avatar: avatarOf("team", "members", `${acme.id}-member`) };
    expect(changed).toMatchObject({ status: 200, body: shown });
    expect(listed.body).toEqual({ permissions: { members: shown } });
    expect(one.body).toEqual({ role: "write" });
    expect([reached.body.can_write, deleted.status, lost.status]).toEqual([true, 204, 403]);
    expect((await registry.usageLog()).slice(1)).toEqual([
      { kind: "change_repo_permission", metadata: { team: "members", repo: "app", role: "write" } },
      { kind: "delete_repo_permission", metadata: { team: "members", repo: "app" } },
    ]);
  });
});
