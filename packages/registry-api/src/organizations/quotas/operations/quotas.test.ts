import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  await registry.organization("acme", { member: [alice] });
  return {
    registry,
    root: await registry.session(await registry.user("root")),
    alice: await registry.session(alice),
  };
}

const gibibyte = 1024 ** 3;

describe("organizationQuotaOperations", () => {
  it("are set by superusers and seen by members", async () => {
    const { registry: owned, root, alice } = await open();
    await using registry = owned;

    const created = await root("POST", "/organization/acme/quota", { limit_bytes: 10 * gibibyte });
    const [{ id }] = (await alice("GET", "/organization/acme/quota")).body;
    const limit = await root("POST", `/organization/acme/quota/${id}/limit`, { type: "Reject", threshold_percent: 90 });
    const [{ id: limitId }] = (await alice("GET", `/organization/acme/quota/${id}/limit`)).body;
    const changed = await root("PUT", `/organization/acme/quota/${id}/limit/${limitId}`, { threshold_percent: 80 });
    const smaller = await root("PUT", `/organization/acme/quota/${id}`, { limit_bytes: gibibyte });
    const seen = await alice("GET", `/organization/acme/quota/${id}`);

    expect([created, limit]).toMatchObject([
      { status: 201, body: "Created" },
      { status: 201, body: "Created" },
    ]);
    expect(changed.body).toMatchObject({ limit: "10.0 GiB", limits: [{ type: "Reject", limit_percent: 80 }] });
    expect(smaller.body).toEqual(seen.body);
    expect(seen.body).toEqual({
      id,
      limit_bytes: gibibyte,
      limit: "1.0 GiB",
      default_config: false,
      default_config_exists: false,
      limits: [{ id: limitId, type: "Reject", threshold_percent: 80, limit_percent: 80 }],
    });
    expect((await root("DELETE", `/organization/acme/quota/${id}/limit/${limitId}`)).status).toBe(204);
    expect((await root("DELETE", `/organization/acme/quota/${id}`)).status).toBe(204);
    expect((await alice("GET", "/organization/acme/quota")).body).toEqual([]);
    const namespace = "acme";
    const [large, small] = [
      { limit_bytes: 10 * gibibyte, limit: "10.0 GiB" },
      { limit_bytes: gibibyte, limit: "1.0 GiB" },
    ];
    const previous = { previous_limit_bytes: large.limit_bytes, previous_limit: large.limit };
    const [at90, at80] = [90, 80].map((threshold_percent) => ({ type: "Reject", threshold_percent }));
    expect(await registry.usageLog()).toEqual([
      { kind: "org_create_quota", metadata: { namespace, ...large } },
      { kind: "org_create_quota_limit", metadata: { namespace, ...at90 } },
      {
        kind: "org_change_quota_limit",
        metadata: { namespace, ...at80, previous_type: "Reject", previous_threshold_percent: 90 },
      },
      { kind: "org_change_quota", metadata: { namespace, ...small, ...previous } },
      { kind: "org_delete_quota_limit", metadata: { namespace, limit_id: limitId, ...at80 } },
      { kind: "org_delete_quota", metadata: { namespace, quota_id: id, ...small } },
    ]);
  });

  it.each([
    { body: { limit_bytes: 0 }, detail: /limit_bytes/ },
    { body: { limit_bytes: "many" }, detail: /limit_bytes/ },
    { body: { limit_bytes: 1.5 }, detail: /limit_bytes/ },
    { body: {}, detail: /limit_bytes/ },
  ])("refuse $body", async ({ body, detail }) => {
    const { registry: owned, root } = await open();
    await using _ = owned;

    const answer = await root("POST", "/organization/acme/quota", body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
  });

  it.each([
    { body: { type: "warning", threshold_percent: 1 }, status: 201, limit: { type: "Warning", limit_percent: 1 } },
    { body: { type: "reject", threshold_percent: 100 }, status: 201, limit: { type: "Reject", limit_percent: 100 } },
    { body: { type: "Other", threshold_percent: 50 }, status: 400 },
    { body: { type: "Reject", threshold_percent: 0 }, status: 400 },
    { body: { type: "Reject", threshold_percent: 101 }, status: 400 },
    { body: { type: "Reject" }, status: 400 },
  ])("answers $status to the limit $body", async ({ body, status, limit }) => {
    const { registry: owned, root } = await open();
    await using _ = owned;
    await root("POST", "/organization/acme/quota", { limit_bytes: 1 });
    const [{ id }] = (await root("GET", "/superuser/users/acme/quota")).body;

    const answer = await root("POST", `/organization/acme/quota/${id}/limit`, body);

    expect(answer.status).toBe(status);
    const [{ limits }] = (await root("GET", "/superuser/users/acme/quota")).body;
    expect(limits).toMatchObject(limit === undefined ? [] : [limit]);
  });

  it("refuses a second quota and a duplicate limit", async () => {
    const { registry: owned, root } = await open();
    await using _ = owned;
    await root("POST", "/organization/acme/quota", { limit_bytes: 1 });
    const [{ id }] = (await root("GET", "/superuser/users/acme/quota")).body;
    const limit = { type: "Warning", threshold_percent: 50 };
    await root("POST", `/organization/acme/quota/${id}/limit`, limit);

    expect((await root("POST", "/organization/acme/quota", { limit_bytes: 1 })).body.detail).toMatch(/already exists/);
    const twin = await root("POST", `/organization/acme/quota/${id}/limit`, limit);
    expect(twin).toMatchObject({ status: 400, body: { detail: "Quota limit already exists" } });
  });

  it("are not seen under another organization", async () => {
    const { registry: owned, root, alice } = await open();
    await using registry = owned;
    const other = await registry.user("bob");
    await registry.organization("other", { admin: [other] });
    await root("POST", "/organization/acme/quota", { limit_bytes: 1 });
    const [{ id }] = (await alice("GET", "/organization/acme/quota")).body;
    const bob = await registry.session(other);

    expect((await bob("GET", `/organization/other/quota/${id}`)).status).toBe(404);
    expect((await bob("GET", `/organization/acme/quota/${id}`)).status).toBe(403);
    expect((await bob("POST", "/organization/other/quota", { limit_bytes: 1 })).status).toBe(403);
  });
});

describe("createOrganizationQuotaSuperUser", () => {
  it.each([
    { settings: {}, body: undefined, expected: 10 * gibibyte },
    { settings: {}, body: {}, expected: 10 * gibibyte },
    { settings: { defaultQuotaBytes: 5000 }, body: {}, expected: 5000 },
    { settings: { defaultQuotaBytes: 5000 }, body: { limit_bytes: 7000 }, expected: 7000 },
  ])("gives $expected bytes for $body with $settings", async ({ settings, body, expected }) => {
    await using registry = await openTestRegistry({ settings });
    const root = await registry.session(await registry.user("root"));
    await registry.user("sam");

    const created = await root("POST", "/superuser/users/sam/quota", body);

    expect(created).toMatchObject({ status: 201, body: "Created" });
    expect((await root("GET", "/superuser/users/sam/quota")).body).toMatchObject([{ limit_bytes: expected }]);
  });
});

describe("superuserQuotaOperations", () => {
  it("give users limits, which they see and which hold", async () => {
    const { registry: owned, root, alice } = await open();
    await using _ = owned;
    await root("POST", "/superuser/users/alice/quota", { limit_bytes: 1000 });
    const [{ id }] = (await alice("GET", "/user/quota")).body;
    const path = `/organization/alice/quota/${id}/limit`;

    const created = await root("POST", path, { type: "Reject", threshold_percent: 90 });
    const [{ id: limitId }] = (await alice("GET", `/user/quota/${id}/limit`)).body;
    const changed = await root("PUT", `${path}/${limitId}`, { threshold_percent: 80 });
    const seen = (await root("GET", "/superuser/users/alice/quota")).body;
    const byUser = await alice("POST", path, { type: "Warning", threshold_percent: 10 });
    const removed = await root("DELETE", `${path}/${limitId}`);

    expect([created.status, changed.status, byUser.status, removed.status]).toEqual([201, 200, 403, 204]);
    expect(seen).toMatchObject([{ limits: [{ type: "Reject", limit_percent: 80 }] }]);
    expect((await alice("GET", `/user/quota/${id}/limit`)).body).toEqual([]);
    expect(
      (await root("POST", `/organization/nobody/quota/${id}/limit`, { type: "Reject", threshold_percent: 1 })).status,
    ).toBe(404);
  });

  it.each(["users", "organization"])("give users and organizations quotas at /superuser/%s", async (path) => {
    const { registry: owned, root, alice } = await open();
    await using _ = owned;

    const created = await root("POST", `/superuser/${path}/alice/quota`, { limit_bytes: 5 });
    const [{ id }] = (await alice("GET", "/user/quota")).body;
    const changed = await root("PUT", `/superuser/${path}/alice/quota/${id}`, { limit_bytes: 6 });
    const seen = await alice("GET", `/user/quota/${id}`);

    expect(created.status).toBe(201);
    expect(seen.body).toEqual(changed.body);
    expect(seen.body).toMatchObject({ id, limit_bytes: 6, limit: "6 B" });
    expect((await root("DELETE", `/superuser/${path}/alice/quota/${id}`)).status).toBe(204);
    expect((await root("GET", `/superuser/${path}/alice/quota`)).body).toEqual([]);
    expect((await root("GET", `/superuser/${path}/nobody/quota`)).status).toBe(404);
  });
});
