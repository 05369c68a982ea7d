import { inChunks } from "@plimsoll/registry/store/bounded-reads";
import type { RegistryDb, RegistryTables } from "@plimsoll/registry/store/tables/all";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../fixtures/test-content.ts";
import { type Call, openTestRegistry } from "../fixtures/test-registry.ts";

const users = 2_500;
const named = Array.from({ length: users }, (_, index) => `u${String(index).padStart(5, "0")}`);

async function insertAll<Table extends "account" | "team_member" | "account_permission" | "robot">(
  db: RegistryDb,
  table: Table,
  rows: readonly Insertable<RegistryTables[Table]>[],
): Promise<void> {
  for (const some of inChunks(rows))
    await db
      .insertInto(table)
      .values([...some] as never)
      .execute();
}

function accountOf(username: string, kind: "user" | "robot") {
  return {
    id: username,
    kind,
    username,
    email: null,
    password_hash: null,
    verified: 1,
    enabled: 1,
    credential_version: 0,
    invoice_email: 0,
    invoice_email_address: null,
    tag_expiration_s: 0,
    outside_role: null,
    profile: "{}",
    created_at: 0,
    last_accessed_at: null,
  } as const;
}

/** acme, that ann owns, with many members who each have a role on `app`, and as many robots; and the statements that answer. */
async function openLargeAcme(engine: TestEngine) {
  const statements: string[] = [];
  const registry = await openTestRegistry({ engine, onStatement: (text) => void statements.push(text) });
  const { db } = registry.store;
  const ann = await registry.user("ann");
  const acme = await registry.organization("acme", { admin: [ann], member: [] });
  const [app, second] = [await addTestRepository(db, acme.id, "app"), await addTestRepository(db, acme.id, "second")];
  await insertAll(
    db,
    "account",
    named.map((name) => accountOf(name, "user")),
  );
  await insertAll(
    db,
    "account",
    named.map((name) => accountOf(`acme+${name}`, "robot")),
  );
  const robot = { owner_id: acme.id, description: "", metadata: "{}", token_sealed: "", token_hash: "" };
  await insertAll(
    db,
    "robot",
    named.map((name) => ({ ...robot, account_id: `acme+${name}`, short_name: name })),
  );
  const grant = (repository_id: string, account_id: string) => ({ repository_id, account_id, role: "read" as const });
  await insertAll(
    db,
    "account_permission",
    named.flatMap((name) => [grant(app, name), grant(second, name)]),
  );
  await insertAll(
    db,
    "account_permission",
    named.map((name) => grant(app, `acme+${name}`)),
  );
  const join = () =>
    insertAll(
      db,
      "team_member",
      named.map((name) => ({ team_id: `${acme.id}-member`, account_id: name })),
    );
  return { registry, join, owner: await registry.session(ann), statements };
}

/** All pages of a list, page by page. */
async function pagesOf(call: Call, path: string, member: string): Promise<readonly (readonly { name: string }[])[]> {
  const pages: { name: string }[][] = [];
  for (let token = ""; ; ) {
    const { status, body } = await call("GET", `${path}${path.includes("?") ? "&" : "?"}next_page=${token}`);
    expect(status).toBe(200);
    pages.push(body[member]);
    if (body.next_page === undefined) return pages;
    token = encodeURIComponent(body.next_page);
  }
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "lists of more than 1,000 rows on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("come page by page, without a read of more rows than a page", async () => {
      const { registry, join, owner, statements } = await openLargeAcme(engine);
      await using _ = registry;

      const collaborators = await pagesOf(owner, "/organization/acme/collaborators", "collaborators");
      await join();
      const members = await pagesOf(owner, "/organization/acme/members", "members");
      statements.length = 0;
      const robots = await pagesOf(owner, "/organization/acme/robots?permissions=true", "robots");

      expect(collaborators.map(({ length }) => length)).toEqual([1000, 1000, 500]);
      expect(collaborators.flat().map(({ name }) => name)).toEqual(named);
      expect(collaborators[2]?.at(-1)).toMatchObject({ repositories: ["app", "second"] });
      expect(members.map(({ length }) => length)).toEqual([1000, 1000, 501]);
      expect(members.flat().map(({ name }) => name)).toEqual(["ann", ...named]);
      expect(members[1]?.[0]).toMatchObject({ teams: [{ name: "members" }], repositories: ["app", "second"] });
      expect(robots.flat().map(({ name }) => name)).toEqual(named.map((name) => `acme+${name}`));
      expect(robots[2]?.at(-1)).toMatchObject({ teams: [], repositories: ["app"] });
      expect(statements.length).toBeLessThan(300);
    });

    it.skipIf(engine.skip !== undefined)("give as many robots as are asked for, the one used last first", async () => {
      const { registry, owner } = await openLargeAcme(engine);
      await using _ = registry;
      const { db } = registry.store;
      for (const [name, at] of [
        ["acme+u02000", 5],
        ["acme+u01000", 9],
      ] as const) {
        await db.updateTable("account").set({ last_accessed_at: at }).where("username", "=", name).execute();
      }

      const { body } = await owner("GET", "/organization/acme/robots?limit=3");
      const all = await pagesOf(owner, "/organization/acme/robots", "robots");

      expect(Object.keys(body)).toEqual(["robots"]);
      const first = ["acme+u01000", "acme+u02000", "acme+u00000"];
      expect(body.robots.map(({ name }: { name: string }) => name)).toEqual(first);
      expect(new Set(all.flat().map(({ name }) => name)).size).toBe(users);
    });

    it.skipIf(engine.skip !== undefined)("take no page of another list", async () => {
      const { registry, owner } = await openLargeAcme(engine);
      await using _ = registry;

      const { body } = await owner("GET", "/organization/acme/robots");
      const other = await owner("GET", `/user/robots?next_page=${encodeURIComponent(body.next_page)}`);

      expect(other.status).toBe(400);
    });
  },
);
