import { findAccount } from "@plimsoll/registry/access/queries";
import { verifyPassword } from "@plimsoll/registry/crypto/passwords";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBrowser, testPassword } from "../../fixtures/test-browser.ts";
import { codeIn, queuedMail } from "../../fixtures/test-mail.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const mailer = { send: async () => {} };

describe("installUserOperations", () => {
  it("make a user with a password that is shown once", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    const { status, body } = await root("POST", "/superuser/users/", { username: "nina", email: "nina@example.com" });

    const account = await findAccount(registry.store.db, "nina");
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: "nina", email: "nina@example.com" });
    expect(body.password).toMatch(/^[A-Z0-9]{32}$/);
    expect(await verifyPassword(body.password, account?.password_hash ?? undefined)).toBe(true);
    const metadata = { username: "nina", email: "nina@example.com", superuser: "root" };
    expect(await registry.usageLog()).toEqual([{ kind: "user_create", metadata }]);
  });

  it("ask a user who is made to confirm the address, where there is mail", async () => {
    await using registry = await openTestRegistry({ ports: { mailer } });
    const root = await registry.session(await registry.user("root"));

    const { body } = await root("POST", "/superuser/users/", { username: "nina", email: "nina@example.com" });
    const early = await openBrowser(registry).signIn("nina", body.password);
    const [mail] = await queuedMail(registry);
    await openBrowser(registry).submit("/confirm", { code: codeIn(mail) });
    const late = await openBrowser(registry).signIn("nina", body.password);

    expect(mail).toMatchObject({ to: "nina@example.com" });
    expect(early).toMatchObject({ status: 403, body: { needsEmailVerification: true } });
    expect(late.status).toBe(200);
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

  it.each([{}, { email: "" }, { email: null }])(
    "create a user without an address (%o), though mail is sent",
    async (given) => {
      await using registry = await openTestRegistry({ ports: { mailer } });
      const root = await registry.session(await registry.user("root"));

      const made = await root("POST", "/superuser/users/", { username: "plain", ...given });
      const signedIn = await openBrowser(registry).signIn("plain", made.body.password);
      const shown = await root("GET", "/superuser/users/plain");

      expect(made).toMatchObject({ status: 201, body: { email: "" } });
      expect(signedIn.status).toBe(200);
      expect(shown.body).toMatchObject({ email: "", verified: true });
      expect(await queuedMail(registry)).toEqual([]);
    },
  );

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

  it.each(
    testEngines.flatMap((engine) => ["name", "-name"].map((order) => ({ engine, order, title: engineTitle(engine) }))),
  )("list users in the order $order on $title", async ({ engine, order }) => {
    if (engine.skip !== undefined) return;
    await using registry = await openTestRegistry({ engine });
    const root = await registry.session(await registry.user("root"));
    for (const name of ["carol", "alice", "bob"]) await registry.user(name);
    await registry.organization("acme");
    const seen: string[] = [];
    let next = "";

    do {
      const { body } = await root("GET", `/superuser/users/?limit=3&order=${order}${next}`);
      seen.push(...body.users.map(({ username }: { username: string }) => username));
      next = body.next_page === undefined ? "" : `&next_page=${body.next_page}`;
    } while (next !== "");

    const names = ["alice", "bob", "carol", "root"];
    expect(seen).toEqual(order === "name" ? names : names.toReversed());
    for (const [query, total, found] of [
      ["&find=O", 3, ["bob", "carol", "root"]],
      ["&find=bob", 1, ["bob"]],
      ["&find=_", 0, []],
      ["", 4, names],
    ] as const) {
      const { body } = await root("GET", `/superuser/users/?order=${order}&total=true${query}`);
      const sorted = body.users.map(({ username }: { username: string }) => username).sort();
      expect([query, body.total, sorted]).toEqual([query, total, found]);
    }
    const unordered = await root("GET", "/superuser/users/?find=carol");
    expect([unordered.body.users.length, unordered.body.total]).toEqual([1, undefined]);
  });

  it("list 100 a page without a limit, and refuse more", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));
    for (let index = 0; index < 100; index++) await registry.user(`user${index}`);

    const first = (await root("GET", "/superuser/users/")).body;
    const second = (await root("GET", `/superuser/users/?next_page=${encodeURIComponent(first.next_page)}`)).body;

    expect(first.users).toHaveLength(100);
    expect(second.users).toHaveLength(1);
    expect(second.next_page).toBeUndefined();
    expect((await root("GET", "/superuser/users/?limit=101")).status).toBe(400);
  });

  it("show what users may use and use, one by one and in a list", async () => {
    await using registry = await openTestRegistry();
    const { db } = registry.store;
    const [root, nina] = [await registry.user("root"), await registry.user("nina")];
    const call = await registry.session(root);
    await call("POST", "/superuser/users/nina/quota", { limit_bytes: 5000 });
    await db.insertInto("namespace_usage").values({ namespace_id: nina.id, size_bytes: 70 }).execute();
    const { id: quota_id } = await db.selectFrom("quota").select("id").executeTakeFirstOrThrow();
    for (const threshold_percent of [90, 50]) {
      await db.insertInto("quota_limit").values({ quota_id, type: "Warning", threshold_percent }).execute();
    }

    const shown = await call("GET", "/superuser/users/nina");
    const { users } = (await call("GET", "/superuser/users/")).body;

    expect(shown.body).toMatchObject({
      quotas: [{ id: quota_id, limit_bytes: 5000, limits: [{ limit_percent: 50 }, { limit_percent: 90 }] }],
      quota_report: { quota_bytes: 70, configured_quota: 5000 },
    });
    expect(users).toContainEqual(shown.body);
    expect(users).toContainEqual(
      expect.objectContaining({
        username: "root",
        quotas: [],
        quota_report: expect.objectContaining({ quota_bytes: 0, configured_quota: null }),
      }),
    );
  });

  it("write an address in other letters, and mail a link for another password", async () => {
    await using registry = await openTestRegistry({ ports: { mailer } });
    const root = await registry.session(await registry.user("root"));
    await registry.user("nina");

    const changed = await root("PUT", "/superuser/users/nina", { email: "Nina@Example.com" });
    const sent = await root("POST", "/superusers/users/nina/sendrecovery");
    const code = codeIn((await queuedMail(registry)).at(-1));
    await openBrowser(registry).submit("/recovery", { code, password: testPassword });

    expect(changed).toMatchObject({ status: 200, body: { email: "Nina@Example.com" } });
    expect(sent).toMatchObject({ status: 200, body: { email: "Nina@Example.com" } });
    expect((await openBrowser(registry).signIn("nina")).status).toBe(200);
  });

  it.each([
    { why: "an unknown user", name: "nobody", ports: { mailer }, status: 404 },
    { why: "an organization", name: "acme", ports: { mailer }, status: 404 },
    { why: "a superuser", name: "root", ports: { mailer }, status: 400 },
    { why: "a user where there is no mail", name: "nina", ports: {}, status: 404 },
    { why: "a user without an address", name: "plain", ports: { mailer }, status: 400 },
  ])("mail no link to $why", async ({ name, ports, status }) => {
    await using registry = await openTestRegistry({ ports });
    const root = await registry.session(await registry.user("root"));
    await registry.user("nina");
    await registry.organization("acme");
    const plain = await registry.user("plain");
    await registry.store.db.updateTable("account").set({ email: null }).where("id", "=", plain.id).execute();

    expect((await root("POST", `/superusers/users/${name}/sendrecovery`)).status).toBe(status);
    expect(await queuedMail(registry)).toEqual([]);
  });

  it("confirm an e-mail address that a superuser gives once more, once", async () => {
    const ports = { mailer: { send: async () => {} } };
    await using registry = await openTestRegistry({ ports });
    const root = await registry.session(await registry.user("root"));
    await registry.user("nina");
    const email = "nina@example.com";

    const before = await root("GET", "/superuser/users/nina");
    const confirmed = await root("PUT", "/superuser/users/nina", { email });
    const again = await root("PUT", "/superuser/users/nina", { email });

    expect([before, confirmed, again].map(({ body }) => body.verified)).toEqual([false, true, true]);
    expect(await registry.usageLog()).toMatchObject([
      { kind: "user_change_email", metadata: { email, old_email: email, superuser: "root" } },
    ]);
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
