import { withoutUndefined } from "@plimsoll/core/internal";
import type { Scope } from "@plimsoll/registry/access/scopes";
import { createOAuthToken } from "@plimsoll/registry/identity/oauth/tokens";
import { arrivalOver, engineTitle, longTestEngines, usualTestTransport } from "@plimsoll/testing";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../http/api-error.ts";
import { sessionCookie } from "../http/browser-calls.ts";
import { requestOf } from "./fixtures/examples.ts";
import { firstAdmitted, type GoldenOperation, readGolden } from "./fixtures/read-golden.ts";
import { dumpTables } from "./fixtures/rehearse.ts";
import { type Headers, openSessions } from "./fixtures/sessions.ts";
import { openWorld, type UserName, userNames, type World } from "./fixtures/world.ts";

const tables = [
  { profile: "contract", golden: readGolden() },
  { profile: "reference", golden: readGolden("reference") },
] as const;
const everyUser = Object.keys(userNames) as UserName[];
const worlds = longTestEngines.flatMap((engine) => tables.map((table) => ({ ...table, engine, name: engine.name })));

/** Parameters that name the owner: admission is to accounts, teams and repositories. */
const owners = "repository|orgname|teamname|membername|username|namespace|robot_shortname|name|email|prefix";
/** The rest of a path with a parameter that names what belongs to an owner. */
const owned = `.*\\{(?!(?:${owners})\\})\\w+\\}`;

/** Resources with an owner, each requested under another owner, by a user who may do everything with that owner's resources. */
const foreign: readonly {
  readonly of: string;
  readonly as?: UserName;
  readonly from: RegExp;
  readonly at: Readonly<Record<string, string>>;
}[] = [
  { of: "another user", as: "reader", from: new RegExp(`^/user/${owned}|^/teaminvite/`), at: {} },
  { of: "another organization", from: new RegExp(`^/organization/\\{orgname\\}/${owned}`), at: { orgname: "globex" } },
  { of: "another quota", from: /^\/organization\/.*\{limit_id\}/, at: { limit_id: "$sam.limit" } },
  { of: "another namespace", from: new RegExp(`^/superuser/.*\\{namespace\\}/${owned}`), at: { namespace: "globex" } },
  {
    of: "another repository",
    from: new RegExp(`^/repository/\\{repository\\}/${owned}`),
    at: { repository: "acme/open" },
  },
  { of: "another manifest", from: /\{labelid\}/, at: { manifestref: "$earlier" } },
];

/** Resources of the registry itself, which have no owner. */
const ofTheRegistry =
  /^\/(?:app|error|message|externallogin|detachexternal|superuser\/(?:jobs|keys|approvedkeys|\{build_uuid\}))\//;

describe("things with an owner", () => {
  it("are asked for under another owner, by every part of a path that names them", () => {
    const parts = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
    const named = tables
      .flatMap(({ golden }) => golden)
      .filter(
        ({ path }) => !ofTheRegistry.test(path) && !parts(path).every((each) => owners.split("|").includes(each)),
      );

    expect(named.filter(({ path }) => !foreign.some(({ from }) => from.test(path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });
});

/** Credentials that the registry did not issue, or that are no longer valid. */
const invalid = [
  "a forged token",
  "an expired token",
  "a revoked token",
  "a disabled user's token",
  "a forged cookie",
] as const;

describe.each(worlds)("trespassing in the profile $profile on $name", ({ engine, profile, golden }) => {
  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let world: World;
    let sessions: Readonly<Record<UserName, Headers>>;
    let credentials: Readonly<Record<(typeof invalid)[number], Headers>>;
    let before: Awaited<ReturnType<typeof dumpTables>>;

    beforeAll(async () => {
      world = await openWorld(engine, { compatibility: profile });
      sessions = await openSessions(world);
      credentials = await openInvalid(world);
      world.rehearsal.on = true;
      world.registry.sender.arrival = arrivalOver(usualTestTransport());
      before = await dumpTables(world.registry.store.db);
    });
    afterAll(() => world.registry[Symbol.asyncDispose]());

    const trespasses = foreign.flatMap(({ from, ...how }) =>
      golden.filter(({ path }) => from.test(path)).map((operation) => ({ id: operation.id, operation, ...how })),
    );
    it.each(trespasses)("$id finds nothing of $of", async ({ operation, at, as = firstAdmitted(operation) }) => {
      const { path, body } = requestOf(operation, world, { username: "sam", replaced: at });

      const answer = await send(world, sessions[as], { ...operation, path, body });

      expect([400, 404]).toContain(answer.status);
      expect(answer.isApiError).toBe(true);
    });

    it.each(golden.filter(({ method }) => method !== "GET"))(
      "$id needs the CSRF token of the session itself",
      async (operation) => {
        const { "x-csrf-token": own, ...withoutToken } = sessions[firstAdmitted(operation)];
        const another = sessions[firstAdmitted(operation) === "root" ? "admin" : "root"]["x-csrf-token"] ?? "";
        const { path, body } = requestOf(operation, world, { username: "sam" });
        const tokens = [{}, { "x-csrf-token": another }, { "x-csrf-token": "" }, { "x-csrf-token": `${own}x` }];

        for (const token of tokens) {
          const answer = await send(
            world,
            { ...withoutToken, ...withoutUndefined(token) },
            { ...operation, path, body },
          );

          expect(answer).toMatchObject({ status: 403, isApiError: true });
        }
      },
    );

    it.each(golden.flatMap((operation) => invalid.map((name) => ({ id: operation.id, name, operation }))))(
      "$id accepts no credential that is $name",
      async ({ operation, name }) => {
        const { path, body } = requestOf(operation, world, { username: "sam" });

        const answer = await send(world, credentials[name], { ...operation, path, body });

        const isRefusedToken = operation.method !== "GET" && name !== "a forged cookie";
        expect(answer.status).toBe(isRefusedToken ? 401 : operation.session[0]);
      },
    );

    it("wrote nothing", async () => {
      expect(await dumpTables(world.registry.store.db)).toEqual(before);
    });

    it.each(everyUser)("shows %s no more than every caller sees, with a token that has no part in it", async (name) => {
      const call = await world.registry.token(world.accounts[name], "user:read");
      const own = name === "auditor" ? [] : ["/organization/acme"]; // auditors see organizations with any token

      for (const path of [
        "/repository?public=true",
        "/repository?namespace=acme",
        "/find/repositories?query=a",
        ...own,
      ]) {
        const [shown, seen] = [await call("GET", path), await world.registry.anonymous("GET", path)];

        expect(shown.status).toBe(200);
        expect(withoutStars(shown.body)).toEqual(seen.body);
      }
    });
  });
});

/** They would belong to a superuser or an admin. */
async function openInvalid({ registry, accounts, ids }: World): Promise<Record<(typeof invalid)[number], Headers>> {
  const { db } = registry.store;
  const put = async (accountId: string, lifetimeSeconds: number) => {
    const scopes = new Set<Scope>(["super:user", "repo:admin", "org:admin", "user:admin"]);
    const request = { clientId: ids.client ?? "", accountId, scopes, now: registry.time.now, lifetimeSeconds };
    return createOAuthToken(db, request);
  };
  const disabled = await registry.user("dis");
  await db.updateTable("account").set({ enabled: 0 }).where("id", "=", disabled.id).execute();
  const [expired, revoked, idle] = [
    await put(accounts.root.id, -1),
    await put(accounts.root.id, 3600),
    await put(disabled.id, 3600),
  ];
  await db.deleteFrom("oauth_token").where("id", "=", revoked.id).execute();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    "a forged token": bearer("F".repeat(40)),
    "an expired token": bearer(expired.token),
    "a revoked token": bearer(revoked.token),
    "a disabled user's token": bearer(idle.token),
    "a forged cookie": { cookie: `${sessionCookie}=${"C".repeat(43)}`, "x-csrf-token": "C".repeat(43) },
  };
}

/** A list of repositories without the members about the caller. */
function withoutStars(body: { readonly repositories?: readonly object[] }): object {
  if (body.repositories === undefined) return body;
  return { ...body, repositories: body.repositories.map((each) => ({ ...each, is_starred: undefined })) };
}

const errorSchema = Compile(ApiError);

async function send(
  { registry }: World,
  headers: Headers,
  { method, path, body }: Pick<GoldenOperation, "method" | "path"> & { readonly body: unknown },
) {
  const { status, text } = await registry.sender.send({
    method,
    url: `/api/v1${path}`,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status, isApiError: text !== "" && errorSchema.Check(JSON.parse(text)) };
}
