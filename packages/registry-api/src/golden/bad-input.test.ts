import { arrivalOver, engineTitle, longTestEngines, usualTestTransport } from "@plimsoll/testing";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../http/api-error.ts";
import { conditionTargets } from "../http/update-conditions.ts";
import { isBodyOptional, type RegistryOperation } from "../operation.ts";
import { registryOperations } from "../operations.ts";
import { operationsIn, referenceOperations } from "../reference-profile/compatibility.ts";
import { requestOf } from "./fixtures/examples.ts";
import { firstAdmitted, readGolden } from "./fixtures/read-golden.ts";
import { dumpTables } from "./fixtures/rehearse.ts";
import { type Headers, openSessions } from "./fixtures/sessions.ts";
import { endlessTexts, spoilBody, withStrangers } from "./fixtures/spoil-body.ts";
import { openWorld, type UserName, userNames, type World } from "./fixtures/world.ts";

const golden = new Map([...readGolden(), ...readGolden("reference")].map((row) => [row.id, row]));
/** The operations of each profile that no former profile has. */
const tables = [
  { profile: "contract", operations: registryOperations },
  { profile: "reference", operations: referenceOperations },
] as const;
const worlds = longTestEngines.flatMap((engine) => tables.map((table) => ({ ...table, engine, name: engine.name })));
/** Exceptions: a search accepts any text, and deleting a missing message succeeds. */
const forgiving = ["getMatchingEntities", "deleteGlobalMessage"];

describe.each(tables)("the operations of the profile $profile", ({ operations }) => {
  it("limit the length of every text", () => {
    const withBody = operations.filter(({ body }) => body !== undefined);

    const endless = withBody.flatMap(({ id, body }) => endlessTexts(body ?? {}).map((at) => `${id}: ${at}`));

    expect(endless).toEqual([]);
  });
});

describe.each(worlds)("bad input in the profile $profile on $name", ({ engine, profile, operations }) => {
  const withBody = operations.filter(({ body }) => body !== undefined);
  const withParts = operations.filter(({ id, path }) => path.includes("{") && !forgiving.includes(id));
  const withQuery = operations.filter(({ query }) => query !== undefined);

  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let world: World;
    let headers: Readonly<Record<UserName, Headers>>;
    let before: Awaited<ReturnType<typeof dumpTables>>;

    beforeAll(async () => {
      world = await openWorld(engine, { compatibility: profile });
      headers = await openSessions(world);
      world.rehearsal.on = true;
      world.registry.sender.arrival = arrivalOver(usualTestTransport());
      before = await dumpTables(world.registry.store.db);
    });
    afterAll(() => world.registry[Symbol.asyncDispose]());

    it.each(withBody)("$id refuses a body with a member that is wrong, and names it", async (operation) => {
      const caller = callerOf(operation);
      const { path, body: good } = requestOf(operation, world, { username: userNames[caller] });
      const problems: string[] = [];

      for (const { what, member, body } of spoilBody(operation.body ?? {}, good)) {
        const payload = Buffer.from(JSON.stringify(body));
        const answer = await post(world, headers[caller], { asked: { method: operation.method, path }, payload });
        problems.push(...problemOf(answer, `body${member && `/${member}`}`).map((each) => `${what}: ${each}`));
      }

      expect(problems).toEqual([]);
    });

    it.each(withBody)("$id ignores members that it does not declare", async (operation) => {
      const caller = callerOf(operation);
      const { path, body: good } = requestOf(operation, world, { username: userNames[caller] });
      const asked = { method: operation.method, path };
      const usual = await post(world, headers[caller], { asked, payload: Buffer.from(JSON.stringify(good ?? {})) });
      const problems: string[] = [];

      for (const { at, body } of withStrangers(operation.body ?? {}, good ?? {})) {
        const answer = await post(world, headers[caller], { asked, payload: Buffer.from(JSON.stringify(body)) });
        if (answer.status !== usual.status)
          problems.push(`in body/${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }

      expect(usual.status).toBe(operation.id === "initializeRegistry" ? 400 : operation.success); // there are users
      expect(problems).toEqual([]);
    });

    it.each(withBody)("$id refuses what is no JSON object", async (operation) => {
      const caller = callerOf(operation);
      const { path } = requestOf(operation, world, { username: userNames[caller] });
      const problems: string[] = [];

      const takesLists = (operation.body as { readonly type?: string }).type === "array";
      for (const payload of [...notObjects, notUtf8]) {
        if (takesLists && payload.equals(emptyList)) continue;
        const answer = await post(world, headers[caller], { asked: { method: operation.method, path }, payload });
        problems.push(...problemOf(answer).map((each) => `${payload.subarray(0, 20)}: ${each}`));
      }

      expect(problems).toEqual([]);
    });

    it.each(withBody)("$id refuses no body and an empty one, unless every member is optional", async (operation) => {
      const caller = callerOf(operation);
      const { path } = requestOf(operation, world, { username: userNames[caller] });
      const asked = { method: operation.method, path };

      const answers = [
        await ask(world, headers[caller], asked),
        await post(world, headers[caller], { asked, payload: Buffer.alloc(0) }),
      ];

      const problems = answers.flatMap((answer) => problemOf(answer, "Missing JSON body"));
      const failed = answers.filter(({ status }) => status >= 500);
      expect(isBodyOptional(operation) ? failed : problems).toEqual([]);
    });

    const targets = conditionTargets(operationsIn(profile, registryOperations));
    const unread = operations.filter(({ id }) => targets.get(id)?.read === undefined);
    const refused = [
      ...operations.map((each) => ({
        ...each,
        condition: { "if-match": '"stale"' },
        why: "that is not the current one",
      })),
      ...unread.map((each) => ({ ...each, condition: { "if-none-match": "*" }, why: "where there must be none" })),
    ];

    it.each(refused)("$id does nothing for a version $why", async ({ condition, ...operation }) => {
      const caller = callerOf(operation);
      const { path, body } = requestOf(operation, world, { username: userNames[caller] });
      const conditional = { ...headers[caller], "content-type": "application/json", ...condition };
      const payload = operation.body && Buffer.from(JSON.stringify(body ?? {}));

      const answer = await ask(world, conditional, { method: operation.method, path, body: payload });

      expect(answer).toMatchObject({ status: 412, body: { title: "precondition_failed" } });
    });

    it.each(withParts)("$id refuses parts of a path that nothing has as its name", async (operation) => {
      const caller = callerOf(operation);
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const problems: string[] = [];

      for (const name of names) {
        for (const value of notNames) {
          const { path, body } = requestOf(operation, world, {
            username: userNames[caller],
            replaced: { [name]: value },
          });
          const answer = await ask(world, headers[caller], {
            ...operation,
            path,
            body: Buffer.from(JSON.stringify(body) ?? ""),
          });
          problems.push(...problemOf(answer).map((each) => `${name} ${value.slice(0, 40)}: ${each}`));
        }
      }

      expect(problems).toEqual([]);
    });

    it.each(withQuery)(
      "$id refuses queries of another type, and texts that no user types on purpose",
      async (operation) => {
        const caller = callerOf(operation);
        const problems: string[] = [];

        for (const [name, value] of spoiledQueries(operation)) {
          const { path } = requestOf(operation, world, { username: userNames[caller] });
          const url = `${path.split("?")[0]}?${name}=${value}`;
          const answer = await ask(world, headers[caller], { method: operation.method, path: url });
          problems.push(...problemOf(answer, `query/${name}`, "query:").map((each) => `${name}=${value}: ${each}`));
        }

        expect(problems).toEqual([]);
      },
    );

    it("wrote nothing", async () => {
      expect(await dumpTables(world.registry.store.db)).toEqual(before);
    });
  });
});

/** A caller that the operation admits, so that a refusal is about the input. */
function callerOf({ id }: RegistryOperation): UserName {
  const row = golden.get(id);
  if (row === undefined) throw new Error(`the golden table has no row for ${id}`);
  return firstAdmitted(row);
}

/** For each parameter: repeated values, forbidden characters, and a text instead of a number. */
function spoiledQueries({ query }: RegistryOperation): readonly (readonly [name: string, value: string])[] {
  return Object.entries(query?.properties ?? {}).flatMap(([name, schema]) => {
    const { type, maxLength } = schema as { readonly type?: string; readonly maxLength?: number };
    if (type === "boolean") return [[name, `true&${name}=true`] as const];
    const wrong = type === "integer" ? ["abc", "1.5", "1e99", "9".repeat(30), ""] : ["%00", "a%1b", "%c2%85"];
    const tooLong = maxLength === undefined ? [] : ["x".repeat(maxLength + 1)];
    return [...wrong, ...tooLong, `1&${name}=1`].map((value) => [name, value] as const);
  });
}

/** Bodies that are not JSON, not UTF-8, not an object, or too large. */
const notObjects: readonly Buffer[] = [
  ...["{", '{"a":1}}', "null", "true", "7", '"text"', "[]", `{"a":"${"x".repeat(1024 * 1024)}"}`],
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
].map((each) => Buffer.from(each));
const emptyList = Buffer.from("[]");
const notUtf8 = Buffer.from('{"\xff":1}', "latin1");

/** Invalid names in a path. */
const notNames = [
  "..",
  "%2e%2e",
  "..%2f..%2fetc%2fpasswd",
  "a%2f..%2fb",
  "%00",
  "a%00b",
  "a%0d%0aSet-Cookie:%20a",
  "%1b",
  "%ff",
  "%ed%a0%80",
  "%",
  "x".repeat(600),
  "x".repeat(6000),
];

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function post(
  world: World,
  headers: Headers,
  { asked, payload }: { readonly asked: Asked; readonly payload: Buffer },
): Promise<Answer> {
  return ask(world, { ...headers, "content-type": "application/json" }, { ...asked, body: payload });
}

async function ask(
  { registry }: World,
  headers: Headers,
  { method, path, body }: Asked & { readonly body?: Buffer | undefined },
): Promise<Answer> {
  const asked = { method, url: `/api/v1${path}`, headers, body };
  const { status, text } = await registry.sender.send(asked);
  return { status, body: parse(text) };
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

const errorSchema = Compile(ApiError);

/** The faults of a refusal: it must be clear, and begin in one of these ways. */
function problemOf({ status, body }: Answer, ...details: readonly string[]): readonly string[] {
  const isRefusal = status >= 400 && status < 500 && errorSchema.Check(body);
  const begins = (detail: string) => isRefusal && (body.detail ?? "").startsWith(detail);
  const isClear = details.length === 0 ? isRefusal : details.some(begins);
  return isClear ? [] : [`${status} ${JSON.stringify(body)?.slice(0, 200)}`];
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
