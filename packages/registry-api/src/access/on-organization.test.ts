import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { type Scope, scopes } from "@plimsoll/registry/access/scopes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { accessProbes, probe } from "./fixtures/access-probes.ts";

const roles = ["member", "creator", "admin"] as const;
const operations = accessProbes("/organization/{orgname}", {
  member: onOrganization("member"),
  creator: onOrganization("creator"),
  admin: onOrganization("admin"),
  free: onOrganization("creator", { scope: undefined }),
  "free-admin": onOrganization("admin", { scope: undefined }),
  "free-member": onOrganization("member", { scope: undefined }),
  "user-scope": onOrganization("admin", { scope: "user:admin" }),
  auditors: onOrganization("admin", { auditors: true }),
  superusers: onOrganization("admin", { superusers: true }),
});

/** Every kind of caller of `acme`; `almighty` is root if superusers have full access. */
interface World {
  readonly registry: TestRegistry;
  readonly sessions: Readonly<Record<string, Call>>;
  token(who: string, ...held: readonly Scope[]): Promise<Call>;
}

async function openWorld({ superuserFullAccess }: { readonly superuserFullAccess: boolean }): Promise<World> {
  const registry = await openTestRegistry({ operations, features: { superuserFullAccess } });
  const names = ["stranger", "member", "creator", "admin", "root", "auditor"] as const;
  const accounts = new Map<string, Awaited<ReturnType<TestRegistry["user"]>>>();
  for (const name of names) accounts.set(name, await registry.user(name));
  const get = (name: string) => {
    const account = accounts.get(name);
    if (account === undefined) throw new Error(`there is no ${name}`);
    return account;
  };
  const members = { member: [get("member")], creator: [get("creator")], admin: [get("admin")] };
  await registry.organization("acme", members);
  const sessions: Record<string, Call> = { anonymous: registry.anonymous };
  for (const name of names) sessions[name] = await registry.session(get(name));
  return { registry, sessions, token: (who, ...held) => registry.token(get(who), ...held) };
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

/** The test world of a caller, and the name of the caller in it. */
function whereIs(who: string): { readonly world: World; readonly name: string } {
  return who === "almighty" ? { world: full, name: "root" } : { world: plain, name: who };
}

function sessionOf(who: string): Call {
  const { world, name } = whereIs(who);
  return world.sessions[name] ?? world.registry.anonymous;
}

/** The statuses for every caller if the role member, creator, admin is required: reading | writing. */
const rows = [
  { who: "anonymous", statuses: "401 401 401 | 401 401 401" },
  { who: "stranger", statuses: "403 403 403 | 403 403 403" },
  { who: "member", statuses: "200 403 403 | 200 403 403" },
  { who: "creator", statuses: "200 200 403 | 200 200 403" },
  { who: "admin", statuses: "200 200 200 | 200 200 200" },
  { who: "root", statuses: "403 403 403 | 403 403 403" },
  { who: "almighty", statuses: "200 200 200 | 200 200 200" },
  { who: "auditor", statuses: "200 200 200 | 403 403 403" },
] as const;

describe("onOrganization", () => {
  it.each(rows)("answers $who in a browser with $statuses", async ({ who, statuses }) => {
    expect(await probe(sessionOf(who), "/organization/acme", roles)).toBe(statuses);
  });

  it.each(rows.filter(({ who }) => who !== "anonymous"))(
    "answers a token of $who as its owner, if it has the scope",
    async ({ who, statuses }) => {
      const { world, name } = whereIs(who);
      const every = Object.keys(scopes) as Scope[];
      const others = every.filter((scope) => scope !== "org:admin");

      const withAll = await probe(await world.token(name, ...every), "/organization/acme", roles);
      const withoutIt = await probe(await world.token(name, ...others), "/organization/acme", roles);

      expect(withAll).toBe(statuses);
      expect(withoutIt).toBe("403 403 403 | 403 403 403");
    },
  );

  it("gives a superuser's token full access only with the scope of superusers", async () => {
    const [without, both] = [
      await full.token("root", "org:admin"),
      await full.token("root", "org:admin", "super:user"),
    ];

    expect(await probe(without, "/organization/acme", roles)).toBe("403 403 403 | 403 403 403");
    expect(await probe(both, "/organization/acme", roles)).toBe("200 200 200 | 200 200 200");
  });

  it.each([
    { who: "anonymous", statuses: "401 401 401 | 401 401 401" },
    { who: "stranger", statuses: "403 403 403 | 403 403 403" },
    { who: "admin", statuses: "403 403 403 | 403 403 403" },
    { who: "root", statuses: "403 403 403 | 403 403 403" },
    { who: "almighty", statuses: "404 404 404 | 404 404 404" },
    { who: "auditor", statuses: "404 404 404 | 403 403 403" },
  ])("answers $who about a missing organization with $statuses", async ({ who, statuses }) => {
    expect(await probe(sessionOf(who), "/organization/nothing", roles)).toBe(statuses);
  });

  it.each([
    { who: "almighty", detail: "Not Found: there is no organization nothing" },
    { who: "admin", detail: "Unauthorized: the operation is for admin of the organization" },
  ])("answers $who about a missing organization: $detail", async ({ who, detail }) => {
    const { body } = await sessionOf(who)("GET", "/organization/nothing/probe/admin");

    expect(body).toMatchObject({ detail });
  });

  it("answers users who name themselves that there is no such organization", async () => {
    expect(await probe(sessionOf("stranger"), "/organization/stranger", roles)).toBe("404 404 404 | 404 404 404");
    expect(await probe(sessionOf("stranger"), "/organization/admin", roles)).toBe("403 403 403 | 403 403 403");
  });

  it.each(rows.filter(({ who }) => who !== "anonymous"))(
    "answers a token of $who as its owner where no scope is declared, whatever it holds",
    async ({ who, statuses }) => {
      const { world, name } = whereIs(who);
      for (const held of Object.keys(scopes) as Scope[]) {
        const call = await world.token(name, held);

        expect(await probe(call, "/organization/acme", ["free-member", "free", "free-admin"])).toBe(statuses);
      }
    },
  );

  it.each([
    { who: "creator", held: "org:admin", probed: "admin", missing: "the operation is for admin of the organization" },
    { who: "admin", held: "user:read", probed: "admin", missing: "the token needs the scope org:admin" },
    {
      who: "creator",
      held: "user:read",
      probed: "free-admin",
      missing: "the operation is for admin of the organization",
    },
  ] as const)("tells $who with $held what is missing: $missing", async ({ who, held, probed, missing }) => {
    const call = await plain.token(who, held);

    const { body } = await call("GET", `/organization/acme/probe/${probed}`);

    expect(body).toMatchObject({ title: "insufficient_scope", detail: `Unauthorized: ${missing}` });
  });

  it.each([
    { who: "admin", held: "user:admin", statuses: "200 | 200" },
    { who: "admin", held: "org:admin", statuses: "403 | 403" },
    { who: "admin", held: "user:read", statuses: "403 | 403" },
    { who: "creator", held: "user:admin", statuses: "403 | 403" },
    { who: "auditor", held: "user:admin", statuses: "200 | 403" },
  ] as const)("asks $who for another scope where it is declared: $held", async ({ who, held, statuses }) => {
    expect(await probe(await plain.token(who, held), "/organization/acme", ["user-scope"])).toBe(statuses);
  });

  it.each([
    { who: "auditor", auditors: "200 | 200", superusers: "200 | 403" },
    { who: "root", auditors: "403 | 403", superusers: "200 | 200" },
    { who: "almighty", auditors: "200 | 200", superusers: "200 | 200" },
    { who: "creator", auditors: "403 | 403", superusers: "403 | 403" },
    { who: "admin", auditors: "200 | 200", superusers: "200 | 200" },
    { who: "anonymous", auditors: "401 | 401", superusers: "401 | 401" },
  ])("admits $who if its options say so", async ({ who, auditors, superusers }) => {
    expect(await probe(sessionOf(who), "/organization/acme", ["auditors"])).toBe(auditors);
    expect(await probe(sessionOf(who), "/organization/acme", ["superusers"])).toBe(superusers);
  });
});
