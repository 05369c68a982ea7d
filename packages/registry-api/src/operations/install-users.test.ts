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
    { body: { username: "other", email: "nina@example.com" }, detail: /already been used/ },
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
});
