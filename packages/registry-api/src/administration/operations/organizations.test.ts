import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  await registry.organization("acme", { admin: [alice] });
  return { registry, root: await registry.session(await registry.user("root")), alice: await registry.session(alice) };
}

const path = "/superuser/organizations/acme";

describe("superuserOrganizationOperations", () => {
  it("change what is given, and log it in the organization", async () => {
    const { registry: owned, root, alice } = await open();
    await using registry = owned;

    const { status, body } = await root("PUT", path, { email: "acme@example.com", tag_expiration_s: 86_400 });

    expect(status).toBe(200);
    expect(body).toEqual({
      name: "acme",
      email: "acme@example.com",
      avatar: avatarOf("org", "acme", "acme@example.com"),
      invoice_email: false,
      invoice_email_address: null,
      tag_expiration_s: 86_400,
      quotas: [],
      quota_report: expect.objectContaining({ quota_bytes: 0, configured_quota: null }),
    });
    const { logs } = (await alice("GET", "/organization/acme/logs")).body;
    expect(logs.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      "org_change_email",
      "org_change_tag_expiration",
    ]);
    expect(await registry.usageLog()).toHaveLength(2);
  });

  it("change the name, and those of the robots with it", async () => {
    const { registry: owned, root, alice } = await open();
    await using _ = owned;
    await alice("PUT", "/organization/acme/robots/ci", {});

    const renamed = await root("PUT", path, { name: "acme2" });

    expect(renamed.body.name).toBe("acme2");
    expect((await alice("GET", "/organization/acme2/robots/ci")).body.name).toBe("acme2+ci");
    expect((await root("PUT", "/superuser/organizations/acme2", { name: "alice" })).status).toBe(400);
    expect((await root("PUT", "/superuser/organizations/acme", { name: "x1" })).status).toBe(404);
  });

  it("delete one whose admins are others", async () => {
    const { registry: owned, root, alice } = await open();
    await using _ = owned;

    expect((await root("DELETE", path)).status).toBe(204);
    expect((await alice("GET", "/organization/acme")).status).toBe(404);
    expect((await root("DELETE", path)).status).toBe(404);
  });

  it("list every organization, page by page where a limit is given", async () => {
    const { registry: owned, root, alice } = await open();
    await using registry = owned;
    for (const name of ["beta", "gamma"]) await registry.organization(name);
    await root("DELETE", "/superuser/organizations/gamma");

    const all = await root("GET", "/superuser/organizations/");
    const first = await root("GET", "/superuser/organizations/?limit=1");
    const second = await root("GET", `/superuser/organizations/?limit=1&next_page=${first.body.next_page}`);

    const names = ({ organizations }: { organizations: { name: string }[] }) => organizations.map(({ name }) => name);
    expect(names(all.body).sort()).toEqual(["acme", "beta"]);
    expect(all.body.organizations).toContainEqual((await root("PUT", path, {})).body);
    expect([...names(first.body), ...names(second.body)].sort()).toEqual(["acme", "beta"]);
    expect(second.body).not.toHaveProperty("next_page");
    for (const [order, expected] of [
      ["name", ["acme", "beta"]],
      ["-name", ["beta", "acme"]],
    ] as const)
      expect(names((await root("GET", `/superuser/organizations/?order=${order}`)).body)).toEqual(expected);
    const found = (await root("GET", "/superuser/organizations/?find=Et&total=true&limit=1")).body;
    expect([names(found), found.total]).toEqual([["beta"], 1]);
    expect((await root("GET", "/superuser/organizations/?limit=101")).status).toBe(400);
    expect((await alice("GET", "/superuser/organizations/")).status).toBe(403);
  });
});
