import { createAccount } from "@plimsoll/registry/accounts/new-account";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { renameOrganization } from "@plimsoll/registry/organizations/organizations";
import { createRepository } from "@plimsoll/registry/repositories/new-repository";
import { refusalOfConflict } from "@plimsoll/registry/store/conflicts";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { lockIsAwaited } from "../fixtures/lock-is-awaited.ts";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";

/** The accounts: `alice` and `bob`, `root`, and `acme`, which `alice` administers, with a quota and a team `ci`. */
async function openWorld(engine: (typeof testEngines)[number]) {
  const registry = await openTestRegistry({ engine });
  const [alice, bob, root] = [await registry.user("alice"), await registry.user("bob"), await registry.user("root")];
  const acme = await registry.organization("acme", { admin: [alice] });
  const as = {
    alice: await registry.session(alice),
    bob: await registry.session(bob),
    root: await registry.session(root),
    anonymous: registry.anonymous,
  };
  await as.alice("PUT", "/organization/acme/team/ci", { role: "member" });
  await as.alice("POST", "/organization/acme/quota", { limit_bytes: 1000 });
  return { registry, alice, bob, root, acme, as };
}

type World = Awaited<ReturnType<typeof openWorld>>;

interface Row {
  readonly what: string;
  /** What one transaction does that has not committed yet. */
  first(db: RegistryDb, world: World): Promise<unknown>;
  /** What another request asks for meanwhile. */
  readonly second: readonly [who: keyof World["as"], method: string, path: string, body?: object];
  readonly status: number;
  readonly detail: string | RegExp;
}

const newName = { kind: "user", username: "carol", email: "carol@example.com" } as const;
const usernameTaken = "The username already exists";
const nameTaken = "A user or organization with this name already exists";
const emailTaken = "The e-mail address is used already";
const signUp = { username: "carol", password: "long-enough" };

const register = (db: RegistryDb, { registry }: World, account: object = {}) =>
  createAccount(db, registry.settings, { ...newName, now: registry.time.now, ...account });
const setEmail = (db: RegistryDb, { bob }: World) =>
  db.updateTable("account").set({ email: "carol@example.com" }).where("id", "=", bob.id).execute();
const removeTeam = (db: RegistryDb, { acme }: World) =>
  db.deleteFrom("team").where("organization_id", "=", acme.id).where("name", "=", "ci").execute();

const rows: readonly Row[] = [
  {
    what: "signing up by a name",
    first: (db, world) => register(db, world, { email: "other@example.com" }),
    second: ["anonymous", "POST", "/user/", signUp],
    status: 400,
    detail: usernameTaken,
  },
  {
    what: "signing up with an e-mail address",
    first: (db, world) => register(db, world, { username: "dora" }),
    second: ["anonymous", "POST", "/user/", { ...signUp, email: "CAROL@example.com" }],
    status: 400,
    detail: emailTaken,
  },
  {
    what: "changing to an e-mail address",
    first: setEmail,
    second: ["alice", "PUT", "/user/", { email: "carol@example.com" }],
    status: 400,
    detail: emailTaken,
  },
  {
    what: "changing to an e-mail address that another user signs up with",
    first: (db, world) => register(db, world),
    second: ["alice", "PUT", "/user/", { email: "Carol@example.com" }],
    status: 400,
    detail: emailTaken,
  },
  {
    what: "a superuser's change to an e-mail address",
    first: setEmail,
    second: ["root", "PUT", "/superuser/users/alice", { email: "carol@example.com" }],
    status: 400,
    detail: emailTaken,
  },
  {
    what: "a superuser's new user",
    first: (db, world) => register(db, world, { email: undefined }),
    second: ["root", "POST", "/superuser/users/", { username: "carol" }],
    status: 400,
    detail: usernameTaken,
  },
  {
    what: "an organization's name",
    first: (db, world) => register(db, world, { kind: "organization" }),
    second: ["bob", "POST", "/organization/", { name: "carol" }],
    status: 400,
    detail: nameTaken,
  },
  {
    what: "renaming to a name that another user signs up with",
    first: (db, world) => register(db, world),
    second: ["root", "PUT", "/superuser/organizations/acme", { name: "carol" }],
    status: 400,
    detail: nameTaken,
  },
  {
    what: "signing up by the name that an organization gets",
    first: (db, { acme, root }) =>
      renameOrganization({ db, log: async () => {} }, acme, { name: "carol", superuser: root }),
    second: ["anonymous", "POST", "/user/", signUp],
    status: 400,
    detail: usernameTaken,
  },
  {
    what: "a robot",
    first: (db, world) => register(db, world, { kind: "robot", username: "acme+bot" }),
    second: ["alice", "PUT", "/organization/acme/robots/bot"],
    status: 400,
    detail: "Existing robot with name: acme+bot",
  },
  {
    what: "a quota",
    first: (db, { bob }) => db.insertInto("quota").values({ namespace_id: bob.id, limit_bytes: 1 }).execute(),
    second: ["root", "POST", "/superuser/users/bob/quota", { limit_bytes: 1000 }],
    status: 400,
    detail: /already exists/,
  },
  {
    what: "a repository",
    first: (db, { acme, alice, registry }) =>
      createRepository(db, {
        namespace: acme,
        name: "app",
        visibility: "private",
        creator: alice,
        now: registry.time.now,
      }),
    second: [
      "alice",
      "POST",
      "/repository",
      { repository: "app", namespace: "acme", visibility: "private", description: "" },
    ],
    status: 400,
    detail: "Repository already exists",
  },
  {
    what: "deleting an organization",
    first: (db, { acme, registry }) => deleteNamespace(db, acme, { now: () => registry.time.now }),
    second: ["root", "DELETE", "/superuser/organizations/acme"],
    status: 404,
    detail: /has just been deleted|^There is no (?:user or )?organization|^The organization (?:\w+ )?has no team/,
  },
  {
    what: "a member of a team that is deleted",
    first: removeTeam,
    second: ["alice", "PUT", "/organization/acme/team/ci/members/bob"],
    status: 404,
    detail: /has just been deleted|^There is no (?:user or )?organization|^The organization (?:\w+ )?has no team/,
  },
];

/** Begins the second request once the first transaction holds what both want, and lets that end when the second waits for it. */
async function race({ first, second }: Row, world: World) {
  const { store } = world.registry;
  const [who, method, path, body] = second;
  const { promise: answered, resolve } = Promise.withResolvers<Awaited<ReturnType<TestRegistry["anonymous"]>>>();
  await store.transaction(async (db) => {
    await first(db, world);
    void world.as[who](method, path, body).then(resolve);
    if (store.kind === "postgres") await lockIsAwaited(db);
  });
  return answered;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "unlessTaken on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(rows)("refuses the second request: $what", async (row) => {
      const world = await openWorld(engine);
      await using _ = world.registry;

      const answer = await race(row, world);

      const detail = typeof row.detail === "string" ? row.detail : expect.stringMatching(row.detail);
      expect(answer).toMatchObject({ status: row.status, body: { detail } });
    });
  },
);

describe("refusalOfConflict", () => {
  it.each([
    { what: "a unique constraint", error: { code: "23505" }, refusal: "invalid_request" },
    { what: "a reference", error: { code: "ERR_SQLITE_ERROR", errcode: 787 }, refusal: "not_found" },
    { what: "a table that is missing", error: { code: "42P01" }, refusal: undefined },
  ])("is for $what: $refusal", ({ error, refusal }) => {
    expect(refusalOfConflict(Object.assign(new Error("refused"), error))?.code).toBe(refusal);
  });
});
