import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/prototypes";
const toBob = { role: "read", delegate: { kind: "user", name: "bob" } };

async function openAcme() {
  const registry = await openTestRegistry();
  const [ann, bob, eve] = [await registry.user("ann"), await registry.user("bob"), await registry.user("eve")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob] });
  return { registry, ann, bob, eve, organization, owner: await registry.session(ann) };
}

const userRef = (name: string, { isMember }: { readonly isMember: boolean }) => ({
  name,
  kind: "user",
  is_robot: false,
  is_org_member: isMember,
  avatar: avatarOf("user", name, `${name}@example.com`),
});

describe("prototypeOperations", () => {
  it("add, show, change and delete a prototype, and tell the usage log", async () => {
    const { registry, organization, owner } = await openAcme();
    await using _ = registry;

    const created = await owner("POST", path, { ...toBob, activating_user: { name: "eve" } });
    const { id } = created.body;
    const listed = await owner("GET", path);
    const changed = await owner("PUT", `${path}/${id}`, { role: "write" });
    const unchanged = await owner("PUT", `${path}/${id}`, {});
    const deleted = await owner("DELETE", `${path}/${id}`);

    const shown = {
      id,
      role: "read",
      activating_user: userRef("eve", { isMember: false }),
      delegate: userRef("bob", { isMember: true }),
    };
    expect(created).toMatchObject({ status: 201, body: shown });
    expect(listed).toMatchObject({ status: 200, body: { prototypes: [shown] } });
    expect(changed).toMatchObject({ status: 200, body: { ...shown, role: "write" } });
    expect(unchanged.body).toEqual(changed.body);
    expect(deleted.status).toBe(204);
    expect((await owner("GET", path)).body).toEqual({ prototypes: [] });
    const logged = { prototypeid: id, username: "ann", activating_username: "eve", delegate_user: "bob" };
    expect(await registry.usageLog()).toEqual([
      { kind: "create_prototype_permission", metadata: { ...logged, role: "read" } },
      { kind: "modify_prototype_permission", metadata: { ...logged, role: "write", original_role: "read" } },
      { kind: "delete_prototype_permission", metadata: { ...logged, role: "write" } },
    ]);
    expect(organization.kind).toBe("organization");
  });

  it("grant to teams, for the repositories of every user", async () => {
    const { registry, organization, owner } = await openAcme();
    await using _ = registry;

    const created = await owner("POST", path, { role: "admin", delegate: { kind: "team", name: "members" } });

    expect(created.body).toEqual({
      id: expect.any(String),
      role: "admin",
      activating_user: null,
      delegate: { name: "members", kind: "team", avatar: avatarOf("team", "members", `${organization.id}-member`) },
    });
  });

  it.each([
    { body: { ...toBob, delegate: { kind: "user", name: "nobody" } }, detail: "Missing delegate user or team" },
    { body: { ...toBob, delegate: { kind: "user", name: "acme" } }, detail: "Missing delegate user or team" },
    { body: { ...toBob, delegate: { kind: "team", name: "nobody" } }, detail: "Missing delegate user or team" },
    { body: { ...toBob, activating_user: { name: "nobody" } }, detail: "Unknown activating user" },
    { body: { ...toBob, activating_user: null }, detail: /^body\/activating_user/ },
    { body: { ...toBob, role: "owner" }, detail: /^body\/role/ },
    { body: { role: "read" }, detail: /^body/ },
  ])("refuse $body", async ({ body, detail }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const answer = await owner("POST", path, body);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toMatch(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it.each([
    { who: "an anonymous request", caller: "", status: 401 },
    { who: "a stranger", caller: "eve", status: 403 },
    { who: "a member", caller: "bob", status: 403 },
    { who: "a superuser without full access", caller: "root", status: 403 },
    { who: "a read-only superuser", caller: "auditor", status: 403, reads: true },
  ])("refuse $who", async ({ caller, status, reads = false }) => {
    const { registry, eve, bob, owner } = await openAcme();
    await using _ = registry;
    const { id } = (await owner("POST", path, toBob)).body;
    const account = caller === "eve" ? eve : caller === "bob" ? bob : caller && (await registry.user(caller));
    const call = account ? await registry.session(account) : registry.anonymous;

    expect((await call("GET", path)).status).toBe(reads ? 200 : status);
    expect((await call("POST", path, toBob)).status).toBe(status);
    expect((await call("PUT", `${path}/${id}`, { role: "admin" })).status).toBe(status);
    expect((await call("DELETE", `${path}/${id}`)).status).toBe(status);
  });

  it("know no prototype of another organization", async () => {
    const { registry, eve, owner } = await openAcme();
    await using _ = registry;
    await registry.organization("other", { admin: [eve] });
    const { id } = (await owner("POST", path, toBob)).body;
    const stranger = await registry.session(eve);

    const changed = await stranger("PUT", `/organization/other/prototypes/${id}`, { role: "admin" });
    const deleted = await stranger("DELETE", `/organization/other/prototypes/${id}`);

    expect([changed.status, deleted.status]).toEqual([404, 404]);
  });
});
