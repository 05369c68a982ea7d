import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const alice = await userWithPassword(registry, "alice");
  const acme = await registry.organization("acme", { admin: [alice], member: [] });
  const root = await registry.user("root");
  return { registry, alice, acme, root, call: await registry.session(root) };
}

describe("takeOwnership", () => {
  it("puts a superuser into the team of an organization's owners, and tells the superuser's log", async () => {
    const { registry: owned, acme, root, call } = await open();
    await using registry = owned;

    const taken = await call("POST", "/superuser/takeownership/acme");
    const again = await call("POST", "/superuser/takeownership/acme");

    expect(taken).toMatchObject({ status: 200, body: { namespace: "acme" } });
    expect(again.status).toBe(200);
    const { body } = await call("GET", "/organization/acme/team/owners/members");
    expect(body.members.map(({ name }: { name: string }) => name)).toEqual(["alice", "root"]);
    const [entry] = await registry.store.db.selectFrom("usage_log").selectAll().execute();
    expect(entry).toMatchObject({ kind: "take_ownership", namespace_id: root.id });
    const metadata = { entity_id: acme.id, namespace: "acme", was_user: false, superuser: "root" };
    expect((await registry.usageLog())[0]).toEqual({ kind: "take_ownership", metadata });
  });

  it("makes owners where no team administers the organization", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await registry.store.db.updateTable("team").set({ role: "member" }).execute();

    await call("POST", "/superuser/takeownership/acme");

    const { body } = await call("GET", "/organization/acme");
    expect(body).toMatchObject({ is_admin: true, teams: { owners: { role: "admin" }, members: { role: "member" } } });
  });

  it("makes a user an organization of the superuser", async () => {
    const { registry: owned, alice, call } = await open();
    await using registry = owned;

    const taken = await call("POST", "/superuser/takeownership/alice");

    expect(taken.status).toBe(200);
    expect((await call("GET", "/organization/alice")).body).toMatchObject({
      is_admin: true,
      ordered_teams: ["owners"],
    });
    expect((await openBrowser(registry).signIn("alice")).status).toBe(403);
    const metadata = { entity_id: alice.id, namespace: "alice", was_user: true, superuser: "root" };
    expect((await registry.usageLog())[0]).toEqual({ kind: "take_ownership", metadata });
  });

  it.each([
    { name: "root", by: "root", status: 400 },
    { name: "nobody", by: "root", status: 404 },
    { name: "acme+ci", by: "root", status: 404 },
    { name: "acme", by: "alice", status: 403 },
    { name: "acme", by: "auditor", status: 403 },
    { name: "acme", by: "anonymous", status: 401 },
  ])("answers $by who wants $name with $status", async ({ name, by, status }) => {
    const { registry: owned, alice, root } = await open();
    await using registry = owned;
    const account = { alice, root }[by] ?? (await registry.user(by));
    const call = by === "anonymous" ? registry.anonymous : await registry.session(account);

    expect((await call("POST", `/superuser/takeownership/${encodeURIComponent(name)}`)).status).toBe(status);
    expect(await registry.usageLog()).toEqual([]);
  });
});
