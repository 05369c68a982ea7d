import {
  arrivalOver,
  engineTitle,
  fullTestArrivals,
  fullTestTransports,
  longTestEngines,
  usualTestTransport,
} from "@plimsoll/testing";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call, TestAnswer } from "../fixtures/test-registry.ts";
import { ApiError } from "../http/api-error.ts";
import { versionTag } from "../http/update-conditions.ts";
import { registryOperations } from "../operations.ts";
import { referenceOperations } from "../reference-profile/compatibility.ts";
import { type Cast, type Credential, openCast } from "./fixtures/cast.ts";
import { examples, fillIn, requestOf, usernameOf } from "./fixtures/examples.ts";
import { matcherOf } from "./fixtures/matcher.ts";
import {
  callers,
  firstAdmitted,
  type GoldenOperation,
  isEverAdmitted,
  readGolden,
  type Statuses,
} from "./fixtures/read-golden.ts";
import { dumpTables, kindsAfter, lastEntry } from "./fixtures/rehearse.ts";
import { type Headers, openSessions } from "./fixtures/sessions.ts";
import { changeWorld, openWorld, type UserName, type World } from "./fixtures/world.ts";

const declared = new Map([...registryOperations, ...referenceOperations].map((operation) => [operation.id, operation]));
/** The golden table of each profile, and the operations that must have a row in it. */
const tables = [
  { profile: "contract", operations: registryOperations, golden: readGolden() },
  { profile: "reference", operations: referenceOperations, golden: readGolden("reference") },
] as const;
/** Changes by superusers of what only members may read: they have no version to name. */
const unreadable: ReadonlySet<string> = new Set([
  ...["changeOrganizationQuota", "deleteOrganizationQuota"],
  ...["changeOrganizationQuotaLimit", "deleteOrganizationQuotaLimit"],
]);
const worlds = longTestEngines.flatMap((engine) => tables.map((table) => ({ ...table, engine, name: engine.name })));

describe.each(tables)("the golden table of the profile $profile", ({ operations, golden }) => {
  it("is what is declared", () => {
    const rows = golden.map(({ id, method, path, scope, success }) => ({ id, method, path, scope, success }));

    const found = golden.map(({ id }) => {
      const { method, path, access, success } = declared.get(id) ?? {};
      return { id, method, path, scope: access?.scope, success };
    });

    expect(found).toEqual(rows);
  });

  it("has a row for every operation", () => {
    const rows = new Set(golden.map(({ id }) => id));

    expect(operations.map(({ id }) => id).filter((id) => !rows.has(id))).toEqual([]);
  });

  it("has an example of what is seen for every operation", () => {
    const isSeen = ({ id, method }: GoldenOperation) =>
      examples[id]?.[method === "GET" ? "shows" : "next"] !== undefined;

    expect(golden.filter((operation) => !isSeen(operation)).map(({ id }) => id)).toEqual([]);
  });
});

describe("examples", () => {
  it("are of operations that there are", () => {
    expect(Object.keys(examples).filter((id) => !declared.has(id))).toEqual([]);
  });
});

describe.each(worlds)("the operations of the profile $profile on $name", ({ engine, profile, golden }) => {
  const changing = golden.filter((operation) => operation.method !== "GET" && isEverAdmitted(operation));
  const versioned = changing.flatMap((operation) => {
    const { version } = declared.get(operation.id) ?? {};
    return version === undefined ? [] : [{ ...operation, version }];
  });

  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let world: World;
    let cast: Cast;
    let sessions: Readonly<Record<UserName, Headers>>;
    let before: Awaited<ReturnType<typeof dumpTables>>;

    beforeAll(async () => {
      world = await openWorld(engine, { compatibility: profile });
      cast = await openCast(world);
      sessions = await openSessions(world);
      world.rehearsal.on = true;
      before = await dumpTables(world.registry.store.db);
    });
    afterAll(() => world.registry[Symbol.asyncDispose]());

    // Transports do not depend on the database: one engine tests all of them.
    const isLocal = engine.name !== "PostgreSQL";

    describe.each(isLocal ? fullTestTransports() : [usualTestTransport()])("over %s", (transport) => {
      beforeAll(() => {
        world.registry.sender.arrival = arrivalOver(transport);
      });
      afterAll(() => {
        world.registry.sender.arrival = undefined;
      });

      it.each(golden)("$id answers each caller as written", async (operation) => {
        const asked = { world, cast, operation };

        const [session, token, bare] = [
          await askEveryCaller(asked, "session"),
          await askEveryCaller(asked, "token"),
          await askEveryCaller(asked, "bare"),
        ];

        expect({ session, token, bare }).toEqual({
          session: { statuses: operation.session.join(" "), problems: [] },
          token: { statuses: operation.token.join(" "), problems: [] },
          bare: { statuses: operation.bare.join(" "), problems: [] },
        });
      });
    });

    describe.each(isLocal ? fullTestArrivals() : [arrivalOver(usualTestTransport())])("over $title", (arrival) => {
      beforeAll(() => {
        world.registry.sender.arrival = arrival;
      });
      afterAll(() => {
        world.registry.sender.arrival = undefined;
      });

      it.each(golden)("$id answers who is admitted, and who is not", async (operation) => {
        const caller = firstAdmitted(operation);
        const username = usernameOf(caller);
        const { path, body } = requestOf(operation, world, { username });

        const answer = await cast(operation, caller, "session")(operation.method, path, body);
        const refused = await world.registry.anonymous(operation.method, path, body);

        const { shows } = examples[operation.id] ?? {};
        const statuses = [operation.session[callers.indexOf(caller)], operation.session[0]];
        expect([answer.status, refused.status]).toEqual(statuses);
        expect([...problemsOf(operation, answer), ...problemsOf(operation, refused)]).toEqual([]);
        if (isEverAdmitted(operation)) expect(answer.body).toEqual(matcherOf(fillIn(shows, world, username)));
      });

      it("reads a body without a media type", async () => {
        const body = JSON.stringify(examples.createGlobalMessage?.body);

        const answer = await world.registry.sender.send({
          method: "POST",
          url: "/api/v1/messages",
          headers: sessions.root,
          body,
        });

        expect(answer).toMatchObject({ status: 201 });
      });
    });

    it.each(golden.filter(({ method }) => method === "GET"))("$id shows what is there", async (operation) => {
      const caller = firstAdmitted(operation);
      const username = usernameOf(caller);

      const answer = await cast(operation, caller, "session")("GET", requestOf(operation, world, { username }).path);

      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual(matcherOf(fillIn(examples[operation.id]?.shows, world, username)));
    });

    it.each(versioned)("$id is made of the version that was read, and of no other", async (operation) => {
      const { method, version } = operation;
      const caller = firstAdmitted(operation);
      const { path, body } = requestOf(operation, world, { username: usernameOf(caller) });
      const read = requestOf({ ...operation, path: version.path }, world, { username: usernameOf(caller) });
      const change = (tag: string) => ask({ method, path, body }, { ...sessions[caller], "if-match": tag });
      const ask = async (asked: Sent, headers: Headers) => {
        const payload = asked.body === undefined ? undefined : JSON.stringify(asked.body);
        return world.registry.sender.send({ ...asked, url: `/api/v1${asked.path}`, headers, body: payload });
      };

      const { status, headers } = await ask({ method: "GET", path: read.path }, sessions[caller]);
      const [current, stale] = [await change(String(headers.etag)), await change('"stale"')];

      const isHidden = unreadable.has(operation.id);
      const statuses = [status, current.status, stale.status];
      expect(statuses, current.text).toEqual(isHidden ? [403, 412, 412] : [200, operation.success, 412]);
    });

    it("leave nothing behind when what they did is undone, or refused", async () => {
      expect(await dumpTables(world.registry.store.db)).toEqual(before);
    });

    it.each(changing)("$id keeps what it did, and the next read shows it", (operation) =>
      changeWorld(engine, world, async (changed) => {
        const caller = firstAdmitted(operation);
        const username = usernameOf(caller);
        const { next, shows } = examples[operation.id] ?? {};
        const { db } = changed.registry.store;
        const last = await lastEntry(db);
        const { path, body } = requestOf(operation, changed, { username });

        const answer = await (await sessionOf(changed, caller))(operation.method, path, body);

        expect(answer).toMatchObject({ status: operation.success });
        expect(answer.body).toEqual(matcherOf(fillIn(shows, changed, username)));
        expect(await kindsAfter(db, last)).toEqual(operation.log);
        await expectItsVersion(answer, { operation, world: changed, caller });
        if (next === undefined || next === "nothing to read") return;
        const reader = await sessionOf(changed, next.as ?? caller);
        const read = await reader("GET", fillIn(next.path, changed, username));
        expect(read).toMatchObject({ status: next.status ?? 200 });
        expect(read.body).toEqual(matcherOf(fillIn(next.shows, changed, username)));
      }),
    );
  });
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The version that is read after a change is that of the change's answer, where this answer shows what is read. */
async function expectItsVersion(
  { body }: TestAnswer,
  {
    operation,
    world,
    caller,
  }: { readonly operation: GoldenOperation; readonly world: World; readonly caller: UserName },
): Promise<void> {
  const { version } = declared.get(operation.id) ?? {};
  const { versionMembers: names = [] } = version ?? {};
  const isShown = [body].flat().every((each: object) => names.every((name) => Object.hasOwn(each, name)));
  if (version === undefined || body === "" || !isShown) return;
  const { path } = requestOf({ ...operation, path: version.path }, world, { username: usernameOf(caller) });
  const { status, headers } = await (await sessionOf(world, caller))("GET", path);
  const isList = (version.result as { readonly type?: string } | undefined)?.type === "array";
  const tag = versionTag(version, isList ? [body].flat() : body);
  if (status === 200) expect(headers.etag).toBe(`"${tag}"`);
}

interface Asked {
  readonly world: World;
  readonly cast: Cast;
  readonly operation: GoldenOperation;
}

/** Calls an operation as every caller with one kind of credential. @returns the statuses, and other faults of the responses */
async function askEveryCaller({ world, cast, operation }: Asked, credential: Credential) {
  const statuses: Statuses[number][] = [];
  const problems: string[] = [];
  for (const [index, caller] of callers.entries()) {
    if (operation[credential][index] === "-") {
      statuses.push("-");
      continue;
    }
    const { path, body } = requestOf(operation, world, { username: usernameOf(caller) });
    world.rehearsal.log = [];
    const answer = await cast(operation, caller, credential)(operation.method, path, body);
    const logged = world.rehearsal.log.join(" ");
    statuses.push(answer.status);
    const isLogged = !operation.logsSessions || (credential === "session" && caller !== "anonymous");
    const written = answer.status === operation.success && isLogged ? operation.log.join(" ") : "";
    const found = [
      ...problemsOf(operation, answer),
      ...(logged === written ? [] : [`logs '${logged}', not '${written}'`]),
      ...(caller !== "admin" && showsSecret(world, answer) ? ["shows a secret"] : []),
    ];
    problems.push(...found.map((problem) => `${caller} (${credential}): ${problem}`));
  }
  return { statuses: statuses.join(" "), problems };
}

function showsSecret({ secrets }: World, { body }: TestAnswer): boolean {
  return secrets.some((secret) => JSON.stringify(body).includes(secret));
}

function sessionOf({ registry, accounts }: World, name: UserName): Promise<Call> {
  return registry.session(accounts[name]);
}

const errorSchema = Compile(ApiError);
const titles: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "invalid_token",
  403: "insufficient_scope",
};

/** The faults of a response body, for any status. */
function problemsOf(operation: GoldenOperation, { status, body }: TestAnswer): readonly string[] {
  if (status === operation.success) return mismatch(declared.get(operation.id)?.result, body);
  if (!errorSchema.Check(body)) return [`${status} without an ApiError: ${JSON.stringify(body)}`];
  const isRefusal = body.status === status && body.title === titles[status];
  return isRefusal ? [] : [`${status} ${body.title}: ${body.detail}`];
}

const compiled = new Map<TSchema, ReturnType<typeof Compile>>();

function mismatch(result: TSchema | undefined, body: unknown): readonly string[] {
  if (result === undefined) return body === "" ? [] : [`a body that is not declared: ${JSON.stringify(body)}`];
  const schema = compiled.get(result) ?? Compile(result);
  compiled.set(result, schema);
  return schema.Check(body)
    ? []
    : [...schema.Errors(body)].map(({ instancePath, message }) => `body${instancePath} ${message}`);
}
