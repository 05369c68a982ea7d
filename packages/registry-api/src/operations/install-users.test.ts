import { describe, expect, it } from "vitest";
import { verifyPassword } from "../crypto/passwords.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { findAccount } from "../store/accounts.ts";

describe("installUserOperations", () => {
  it("make a user with a password that is shown once", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    const { status, body } = await root("POST", "/superuser/users/", { username: "nina", email: "nina@example.com" });

    const account = await findAccount(registry.store.db, "nina");
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: "nina", email: "nina@example.com" });
    expect(body.password).toMatch(/^[A-Z0-9]{32}$/);
    expect(await verifyPassword(body.password, account?.password_hash ?? null)).toBe(true);
    const metadata = { username: "nina", email: "nina@example.com", superuser: "root" };
    expect(await registry.usageLog()).toEqual([{ kind: "user_create", metadata }]);
  });

  it.each([
    { body: { username: "nina" }, detail: /already exists/ },
    { body: { username: "N" }, detail: /Invalid namespace/ },
    { body: { username: "other", email: "nobody" }, detail: /Invalid email/ },
    { body: { username: "other", email: "nina@example.com" }, detail: /used already/ },
    { body: {}, detail: /username/ },
  ])("refuse $body", async ({ body, detail }) => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));
    await registry.user("nina");

    const answer = await root("POST", "/superuser/users/", body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
  });

  it("list users page by page, each once, and say who are superusers", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));
    for (const name of ["auditor", "alice", "bob", "carol"]) await registry.user(name);
    await registry.organization("acme");
    const seen: { username: string; super_user: boolean; global_readonly_super_user: boolean }[] = [];
    let next = "";

    do {
      const { body } = await root("GET", `/superuser/users/?limit=2${next}`);
      seen.push(...body.users);
      next = body.next_page === undefined ? "" : `&next_page=${body.next_page}`;
    } while (next !== "");

    expect(seen.map(({ username }) => username).sort()).toEqual(["alice", "auditor", "bob", "carol", "root"]);
    expect(seen.filter(({ super_user }) => super_user).map(({ username }) => username)).toEqual(["root"]);
    expect(seen.find(({ username }) => username === "auditor")?.global_readonly_super_user).toBe(true);
  });

  it("lists all at once without a limit, and refuses more than 100 a page", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    expect((await root("GET", "/superuser/users/")).body.users).toHaveLength(1);
    expect((await root("GET", "/superuser/users/?limit=101")).status).toBe(400);
  });

  it("change, disable and delete a user, but no superuser", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));
    const nina = await registry.user("nina");
    await registry.organization("acme", { admin: [nina] });
    const session = await registry.session(nina);

    const changed = await root("PUT", "/superuser/users/nina", { password: "another-one", email: "n@example.com" });
    const signedOut = await session("GET", "/user/apptoken");
    const disabled = await root("PUT", "/superuser/users/nina", { enabled: false });
    const shown = await root("GET", "/superuser/users/nina");
    const deleted = await root("DELETE", "/superuser/users/nina");

    expect(changed).toMatchObject({ status: 200, body: { email: "n@example.com", verified: true } });
    expect(changed.body.encrypted_password).toEqual(expect.any(String));
    expect(signedOut.status).toBe(401);
    expect(disabled.body).toEqual(shown.body);
    expect(shown.body.enabled).toBe(false);
    expect(deleted.status).toBe(204);
    expect((await root("GET", "/superuser/users/nina")).status).toBe(404);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual([
      "user_change_password",
      "user_change_email",
      "user_disable",
      "user_delete",
    ]);
    expect((await root("DELETE", "/superuser/users/root")).body.detail).toBe("Cannot delete a superuser");
    expect((await root("PUT", "/superuser/users/root", {})).body.detail).toBe("Cannot update a superuser");
  });
});
