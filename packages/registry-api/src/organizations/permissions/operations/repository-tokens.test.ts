import { findRepositoryTokenPrincipal } from "@plimsoll/registry/identity/sign-in/token-holders";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";
import { putRepository } from "../../../fixtures/test-repositories.ts";

const tokens = "/repository/ada/app/tokens";

async function openAdas() {
  const registry = await openTestRegistry();
  const ada = await registry.user("ada");
  await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  await putRepository(registry, { namespace: ada, name: "other" });
  return { registry, ada, call: await registry.session(ada) };
}

describe("repositoryTokenOperations", () => {
  it("make a token that reads, let it do more, and delete it", async () => {
    const { registry, call } = await openAdas();
    await using _ = registry;
    const { db } = registry.store;

    const created = await call("POST", `${tokens}/`, { friendlyName: "deploy" });
    const { code } = created.body;
    const listed = await call("GET", `${tokens}/`);
    const reader = await findRepositoryTokenPrincipal(db, { secret: code });
    const changed = await call("PUT", `${tokens}/${code}`, { role: "write" });
    const unchanged = await call("PUT", `${tokens}/${code}`, {});
    const one = await call("GET", `${tokens}/${code}`);
    const writer = await findRepositoryTokenPrincipal(db, { secret: code });
    const deleted = await call("DELETE", `${tokens}/${code}`);

    expect(code).toMatch(/^[A-Z0-9]{64}$/);
    expect(created).toMatchObject({ status: 201, body: { code, friendlyName: "deploy", role: "read" } });
    expect(listed.body).toEqual({ tokens: { [code]: created.body } });
    expect(reader).toMatchObject({ kind: "repository-token", friendlyName: "deploy", role: "read" });
    expect(changed).toMatchObject({ status: 200, body: { ...created.body, role: "write" } });
    expect(unchanged.body).toEqual(changed.body);
    expect(one.body).toEqual(changed.body);
    expect(writer?.role).toBe("write");
    expect(deleted.status).toBe(204);
    expect(await findRepositoryTokenPrincipal(db, { secret: code })).toBeUndefined();
    const place = { repo: "app", namespace: "ada", token: "deploy" };
    expect(await registry.usageLog()).toEqual([
      { kind: "add_repo_accesstoken", metadata: place },
      { kind: "change_repo_permission", metadata: { ...place, role: "write" } },
      { kind: "delete_repo_accesstoken", metadata: place },
    ]);
  });

  it("keep the code sealed in the database", async () => {
    const { registry, call } = await openAdas();
    await using _ = registry;
    const { body } = await call("POST", `${tokens}/`, { friendlyName: "deploy" });

    const rows = await registry.store.db.selectFrom("repository_token").selectAll().execute();

    expect(JSON.stringify(rows)).not.toContain(body.code);
  });

  it("show a read-only superuser that there are tokens, and no code", async () => {
    const { registry, call } = await openAdas();
    await using _ = registry;
    const { body } = await call("POST", `${tokens}/`, { friendlyName: "deploy" });
    const auditor = await registry.session(await registry.user("auditor"));

    const listed = await auditor("GET", `${tokens}/`);

    expect(Object.values(listed.body.tokens)).toEqual([{ code: "", friendlyName: "deploy", role: "read" }]);
    expect(JSON.stringify(listed.body)).not.toContain(body.code);
  });

  it.each([
    { method: "GET", path: `${tokens}/UNKNOWN`, status: 404 },
    { method: "PUT", path: `${tokens}/UNKNOWN`, body: { role: "read" }, status: 404 },
    { method: "DELETE", path: `${tokens}/UNKNOWN`, status: 404 },
    { method: "POST", path: `${tokens}/`, body: {}, status: 400 },
    { method: "POST", path: `${tokens}/`, body: { friendlyName: "" }, status: 400 },
    { method: "POST", path: `${tokens}/`, body: { friendlyName: "x".repeat(256) }, status: 400 },
    { method: "PUT", path: `${tokens}/UNKNOWN`, body: { role: "owner" }, status: 400 },
  ])("answer $status to $method $path with $body", async ({ method, path, body, status }) => {
    const { registry, call } = await openAdas();
    await using _ = registry;

    expect((await call(method, path, body)).status).toBe(status);
  });

  it("know no token of another repository", async () => {
    const { registry, call } = await openAdas();
    await using _ = registry;
    const { body } = await call("POST", `${tokens}/`, { friendlyName: "deploy" });

    expect((await call("GET", `/repository/ada/other/tokens/${body.code}`)).status).toBe(404);
    expect((await call("DELETE", `/repository/ada/other/tokens/${body.code}`)).status).toBe(404);
  });

  it("are for admins of the repository", async () => {
    const { registry } = await openAdas();
    await using _ = registry;
    const bob = await registry.session(await registry.user("bob"));

    for (const [call, status] of [
      [bob, 403],
      [registry.anonymous, 401],
    ] as const) {
      expect((await call("GET", `${tokens}/`)).status).toBe(status);
      expect((await call("POST", `${tokens}/`, { friendlyName: "x" })).status).toBe(status);
      expect((await call("PUT", `${tokens}/X`, { role: "read" })).status).toBe(status);
      expect((await call("DELETE", `${tokens}/X`)).status).toBe(status);
    }
  });
});
