import { randomUUID } from "node:crypto";
import { onRepository, roleOnRepository, splitRepository } from "@plimsoll/registry/access/on-repository";
import { anonymous, type Principal } from "@plimsoll/registry/access/principal";
import { type AccountRow, findImageRepository } from "@plimsoll/registry/access/queries";
import type { Scope } from "@plimsoll/registry/access/scopes";
import { createAccount } from "@plimsoll/registry/accounts/new-account";
import type { RepositoryRole } from "@plimsoll/registry/store/tables/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addTestRepository } from "../fixtures/test-content.ts";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { accessProbes, probe } from "./fixtures/access-probes.ts";

const roles = ["read", "write", "admin"] as const;
const operations = accessProbes("/repository/{repository}", {
  read: onRepository("read"),
  write: onRepository("write"),
  admin: onRepository("admin"),
  normal: onRepository("write", { onlyNormal: true }),
  auditors: onRepository("admin", { auditors: true }),
  "read-scope": onRepository("write", { scope: "repo:read" }),
});

interface World {
  readonly registry: TestRegistry;
  readonly accounts: ReadonlyMap<string, AccountRow>;
  readonly sessions: ReadonlyMap<string, Call>;
}

const people = [
  "stranger",
  "reader",
  "writer",
  "manager",
  "team-writer",
  "org-member",
  "org-creator",
  "org-admin",
  "root",
  "auditor",
] as const;

/** `acme/closed`, `acme/open`, `acme/frozen` (read-only) and the role of every caller on them. */
async function openWorld({ superuserFullAccess }: { readonly superuserFullAccess: boolean }): Promise<World> {
  const registry = await openTestRegistry({ operations, features: { superuserFullAccess } });
  const { db } = registry.store;
  const accounts = new Map<string, AccountRow>();
  for (const name of people) accounts.set(name, await registry.user(name));
  const account = (name: string): AccountRow[] => [accounts.get(name) ?? []].flat();
  const acme = await registry.organization("acme", {
    member: [...account("org-member"), ...account("team-writer")],
    creator: account("org-creator"),
    admin: account("org-admin"),
  });
  const dev = { id: randomUUID(), organization_id: acme.id, name: "dev", role: "member", description: "" } as const;
  await db
    .insertInto("team")
    .values({ ...dev, created_at: 0 })
    .execute();
  for (const { id } of account("team-writer")) {
    await db.insertInto("team_member").values({ team_id: dev.id, account_id: id }).execute();
  }
  accounts.set("robot", await createAccount(db, registry.settings, { kind: "robot", username: "acme+ci", now: 0 }));
  const grants = { reader: "read", writer: "write", manager: "admin", robot: "write" } as const;
  for (const name of ["closed", "open", "frozen"]) {
    const repository_id = await addTestRepository(db, acme.id, name);
    await db.insertInto("team_permission").values({ repository_id, team_id: dev.id, role: "write" }).execute();
    for (const [who, role] of Object.entries(grants)) {
      for (const { id: account_id } of account(who)) {
        await db.insertInto("account_permission").values({ repository_id, account_id, role }).execute();
      }
    }
  }
  await db.updateTable("image_repository").set({ visibility: "public" }).where("name", "=", "open").execute();
  await db.updateTable("image_repository").set({ state: "READ_ONLY" }).where("name", "=", "frozen").execute();
  for (const { id } of account("stranger")) await addTestRepository(db, id, "own");
  const sessions = new Map<string, Call>([["anonymous", registry.anonymous]]);
  for (const name of people) for (const each of account(name)) sessions.set(name, await registry.session(each));
  return { registry, accounts, sessions };
}

let plain: World;
let full: World;
beforeAll(async () => {
  [plain, full] = [await openWorld({ superuserFullAccess: false }), await openWorld({ superuserFullAccess: true })];
});
afterAll(async () => {
  await plain.registry[Symbol.asyncDispose]();
  await full.registry[Symbol.asyncDispose]();
});

function sessionOf(who: string): Call {
  const call = who === "almighty" ? full.sessions.get("root") : plain.sessions.get(who);
  if (call === undefined) throw new Error(`there is no ${who}`);
  return call;
}

function accountOf(who: string): AccountRow {
  const account = plain.accounts.get(who);
  if (account === undefined) throw new Error(`there is no ${who}`);
  return account;
}

/** The statuses for every caller if the role read, write, admin is required: reading | writing. */
const rows = [
  { who: "anonymous", closed: "401 401 401 | 401 401 401", open: "200 401 401 | 401 401 401" },
  { who: "stranger", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
  { who: "reader", closed: "200 403 403 | 200 403 403", open: "200 403 403 | 200 403 403" },
  { who: "writer", closed: "200 200 403 | 200 200 403", open: "200 200 403 | 200 200 403" },
  { who: "manager", closed: "200 200 200 | 200 200 200", open: "200 200 200 | 200 200 200" },
  { who: "team-writer", closed: "200 200 403 | 200 200 403", open: "200 200 403 | 200 200 403" },
  { who: "org-member", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
  { who: "org-creator", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
  { who: "org-admin", closed: "200 200 200 | 200 200 200", open: "200 200 200 | 200 200 200" },
  { who: "root", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
  { who: "almighty", closed: "200 200 200 | 200 200 200", open: "200 200 200 | 200 200 200" },
  { who: "auditor", closed: "200 200 200 | 403 403 403", open: "200 200 200 | 403 403 403" },
] as const;

describe("onRepository", () => {
  it.each(rows)("answers $who with $closed, and $open where it is public", async ({ who, closed, open }) => {
    expect(await probe(sessionOf(who), "/repository/acme/closed", roles)).toBe(closed);
    expect(await probe(sessionOf(who), "/repository/acme/open", roles)).toBe(open);
  });

  /** The statuses for managers and organization admins, by the only scope of their token. */
  const scopeRows: readonly { readonly held: Scope; readonly closed: string; readonly open: string }[] = [
    { held: "repo:read", closed: "200 403 403 | 200 403 403", open: "200 403 403 | 200 403 403" },
    { held: "repo:write", closed: "200 200 403 | 200 200 403", open: "200 200 403 | 200 200 403" },
    { held: "repo:admin", closed: "200 200 200 | 200 200 200", open: "200 200 200 | 200 200 200" },
    { held: "repo:create", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
    { held: "user:read", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
    { held: "user:admin", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
    { held: "org:admin", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
    { held: "super:user", closed: "403 403 403 | 403 403 403", open: "200 403 403 | 403 403 403" },
  ];
  it.each(scopeRows)("caps roles by the scope $held", async ({ held, closed, open }) => {
    for (const who of ["manager", "org-admin"]) {
      const call = await plain.registry.token(accountOf(who), held);

      expect(await probe(call, "/repository/acme/closed", roles)).toBe(closed);
      expect(await probe(call, "/repository/acme/open", roles)).toBe(open);
    }
  });

  it.each([
    { held: "repo:read", statuses: "200 403 403 | 403 403 403" },
    { held: "repo:admin", statuses: "200 200 200 | 403 403 403" },
    { held: "super:user", statuses: "403 403 403 | 403 403 403" },
    { held: "user:read", statuses: "403 403 403 | 403 403 403" },
  ] as const)("lets a read-only superuser's token with $held see $statuses", async ({ held, statuses }) => {
    const call = await plain.registry.token(accountOf("auditor"), held);

    expect(await probe(call, "/repository/acme/closed", roles)).toBe(statuses);
  });

  it.each([
    { who: "reader", held: "repo:read", statuses: "403 | 403" },
    { who: "writer", held: "repo:read", statuses: "200 | 200" },
    { who: "writer", held: "repo:write", statuses: "200 | 200" },
    { who: "writer", held: "org:admin", statuses: "403 | 403" },
  ] as const)("answers $who with $held by $statuses where reading is scope enough to write", async (row) => {
    const call = await plain.registry.token(accountOf(row.who), row.held);

    expect(await probe(call, "/repository/acme/closed", ["read-scope"])).toBe(row.statuses);
  });

  it("gives a token no more than its user has", async () => {
    const call = await plain.registry.token(accountOf("reader"), "repo:admin", "org:admin", "super:user");

    expect(await probe(call, "/repository/acme/closed", roles)).toBe("200 403 403 | 200 403 403");
  });

  it("makes users admins in their own namespace", async () => {
    expect(await probe(sessionOf("stranger"), "/repository/stranger/own", roles)).toBe("200 200 200 | 200 200 200");
    expect(await probe(sessionOf("org-admin"), "/repository/stranger/own", roles)).toBe("403 403 403 | 403 403 403");
  });

  it.each([
    { who: "anonymous", path: "acme/nothing", status: 401 },
    { who: "stranger", path: "acme/nothing", status: 403 },
    { who: "org-creator", path: "acme/nothing", status: 403 },
    { who: "manager", path: "acme/nothing", status: 403 },
    { who: "org-admin", path: "acme/nothing", status: 404 },
    { who: "stranger", path: "stranger/nothing", status: 404 },
    { who: "stranger", path: "nothing/nothing", status: 403 },
    { who: "root", path: "acme/nothing", status: 403 },
    { who: "almighty", path: "acme/nothing", status: 404 },
    { who: "auditor", path: "acme/nothing", status: 404, writes: 403 },
  ])("tells $who of $path: $status", async ({ who, path, status, writes = status }) => {
    expect(await probe(sessionOf(who), `/repository/${path}`, ["read"])).toBe(`${status} | ${writes}`);
  });

  it.each([
    { who: "org-admin", path: "acme/nothing", detail: "Not Found: there is no repository acme/nothing" },
    { who: "stranger", path: "stranger/no/thing", detail: "Not Found: there is no repository stranger/no/thing" },
    { who: "almighty", path: "acme/nothing", detail: "Not Found: there is no repository acme/nothing" },
    { who: "manager", path: "acme/nothing", detail: "Unauthorized: the operation is for read on the repository" },
    { who: "manager", path: "other/nothing", detail: "Unauthorized: the operation is for read on the repository" },
  ])("tells $who that asks for $path: $detail", async ({ who, path, detail }) => {
    const { body } = await sessionOf(who)("GET", `/repository/${path}/probe/read`);

    expect(body).toMatchObject({ detail });
  });

  it.each([
    { who: "anonymous", path: "frozen", statuses: "401 | 401" },
    { who: "reader", path: "frozen", statuses: "403 | 403" },
    { who: "writer", path: "frozen", statuses: "503 | 503" },
    { who: "almighty", path: "frozen", statuses: "503 | 503" },
    { who: "writer", path: "closed", statuses: "200 | 200" },
  ])(
    "answers $who about $path with $statuses if only normal repositories are accepted",
    async ({ who, path, statuses }) => {
      expect(await probe(sessionOf(who), `/repository/acme/${path}`, ["normal"])).toBe(statuses);
    },
  );

  it("lets read-only superusers write if its options say so", async () => {
    expect(await probe(sessionOf("auditor"), "/repository/acme/closed", ["auditors"])).toBe("200 | 200");
    expect(await probe(sessionOf("writer"), "/repository/acme/closed", ["auditors"])).toBe("403 | 403");
  });
});

describe("roleOnRepository", () => {
  const token = (repositoryId: string, role: RepositoryRole): Principal => ({
    kind: "repository-token",
    id: "t",
    friendlyName: "t",
    repositoryId,
    role,
  });

  it("is the granted role of a robot, and the role of a repository token", async () => {
    const { db } = plain.registry.store;
    const repository = await findImageRepository(db, "acme", "closed");
    if (repository === undefined) throw new Error("there is no repository");
    const robot: Principal = { kind: "robot", account: accountOf("robot"), ownerId: repository.namespace_id };

    const found = [
      await roleOnRepository(db, robot, repository),
      await roleOnRepository(db, token(repository.id, "write"), repository),
      await roleOnRepository(db, token("another", "admin"), repository),
      await roleOnRepository(db, anonymous, repository),
    ];

    expect(found).toEqual(["write", "write", undefined, undefined]);
  });
});

describe("splitRepository", () => {
  it.each([
    { path: "acme/app", namespace: "acme", name: "app" },
    { path: "acme/a/b/c", namespace: "acme", name: "a/b/c" },
    { path: "app", namespace: "library", name: "app" },
    { path: "", namespace: "library", name: "" },
  ])("splits '$path'", ({ path, namespace, name }) => {
    expect(splitRepository(path)).toEqual({ namespace, name });
  });
});
