import { gzipSync } from "node:zlib";
import { engineTitle, longTestEngines, testArrivals } from "@plimsoll/testing";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";
import { operationsIn } from "../reference-profile/compatibility.ts";
import { checkTexts, isPathText, requestReader } from "./read-request.ts";

const body = JSON.stringify({ username: "ann", password: "wrong" });
const type = { "content-type": "application/json" };

describe.each(testArrivals)("the body of a request that comes over $title", (arrival) => {
  it.each([
    { encoding: "gzip", sent: gzipSync(body) },
    { encoding: "gzip", sent: body },
    { encoding: "identity, br", sent: body },
  ])("is refused where it is said to be encoded as $encoding", async ({ encoding, sent }) => {
    await using registry = await openTestRegistry();
    registry.sender.arrival = arrival;

    const { status, text } = await registry.sender.send({
      method: "POST",
      url: "/api/v1/signin",
      headers: { ...type, "content-encoding": encoding },
      body: sent,
    });

    expect(status).toBe(415);
    expect(JSON.parse(text)).toMatchObject({
      status: 415,
      title: "unsupported_media_type",
      type: expect.stringMatching(/\/api\/v1\/error\/unsupported_media_type$/),
      detail: `Content-Encoding: expected identity, found ${encoding}`,
    });
  });

  it.each(["identity", "Identity", ""])("is read where its encoding is %j", async (encoding) => {
    await using registry = await openTestRegistry();
    registry.sender.arrival = arrival;
    const headers = { ...type, "content-encoding": encoding };

    const { status } = await registry.sender.send({ method: "POST", url: "/api/v1/signin", headers, body });

    expect(status).toBe(403); // a wrong password: it was read
  });
});

describe.each(["contract", "reference"] as const)("requestReader of each operation in the profile %s", (profile) => {
  const operations = operationsIn(profile, registryOperations).filter(({ body }) => body !== undefined);

  it.each(operations)("refuses a missing body of $id, or reads one that its schema accepts", (operation) => {
    for (const missing of [undefined, Buffer.alloc(0)]) {
      const read = () => requestReader(operation).body(missing, {});

      const result = resultOf(read);

      if (result === "refused") expect(read).toThrow(/^Missing JSON body$/);
      else expect(Compile(operation.body ?? {}).Check(result)).toBe(true);
    }
  });
});

function resultOf(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return "refused";
  }
}

describe("checkTexts", () => {
  it.each([
    { value: "# Markdown\r\n\tcode\n", message: undefined },
    { value: { näme: ["\u{1f433} x", 1, null, true] }, message: undefined },
    { value: "a\0b", message: "body: a string contains the character U+0000" },
    { value: ["\u001b[2J"], message: "body: a string contains the character U+001B" },
    { value: { a: { b: "\u007f" } }, message: "body: a string contains the character U+007F" },
    { value: { a: "\u0085" }, message: "body: a string contains the character U+0085" },
    { value: { a: "half \ud800" }, message: "body: a string contains the character U+D800" },
    { value: { "a\0": 1 }, message: "body: a string contains the character U+0000" },
  ])("says $message of $value", ({ value, message }) => {
    const found = () => checkTexts(value, "body");

    if (message === undefined) expect(found).not.toThrow();
    else expect(found).toThrow(message);
  });
});

describe("isPathText", () => {
  it.each([
    { text: "library", is: true },
    { text: "a".repeat(511), is: true },
    { text: "a".repeat(512), is: false },
    { text: "a\nb", is: false },
    { text: "a\tb", is: false },
    { text: "a\0", is: false },
    { text: "\udfff", is: false },
  ])("is $is for $text", ({ text, is }) => {
    expect(isPathText(text)).toBe(is);
  });
});

/** Repositories whose names end like paths of the API. Alice owns all of them; Bob is an admin of the first. */
const names = ["app", "app/tag/x", "app/permissions/user/bob", "logs", "app/mirror"];

interface Row {
  readonly who: "alice" | "bob" | "token";
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** The ambiguous meanings, which the refusal names. */
  readonly meanings?: readonly string[];
}

/** No row changes what the other rows need. */
const rows: readonly Row[] = [
  {
    who: "alice",
    method: "DELETE",
    path: "/repository/alice/app/tag/x",
    status: 400,
    meanings: ["DELETE /api/v1/repository/alice%2Fapp/tag/x", "DELETE /api/v1/repository/alice%2Fapp%2Ftag%2Fx"],
  },
  {
    who: "alice",
    method: "PUT",
    path: "/repository/alice/app/permissions/user/bob",
    body: { role: "admin", description: "changed" },
    status: 400,
    meanings: [
      "PUT /api/v1/repository/alice%2Fapp/permissions/user/bob",
      "PUT /api/v1/repository/alice%2Fapp%2Fpermissions%2Fuser%2Fbob",
    ],
  },
  {
    who: "bob",
    method: "PUT",
    path: "/repository/alice/app/permissions/user/bob",
    body: { role: "admin" },
    status: 200,
  },
  { who: "bob", method: "DELETE", path: "/repository/alice/app/tag/x", status: 404 },
  { who: "token", method: "PUT", path: "/repository/alice/app/permissions/user/bob", body: {}, status: 403 },
  { who: "alice", method: "DELETE", path: "/repository/alice/app/tag/y", status: 404 },
  { who: "alice", method: "DELETE", path: "/repository/alice%2Fapp/tag/x", status: 404 },
  { who: "alice", method: "DELETE", path: "/repository/alice/logs", status: 405 },
  { who: "alice", method: "PUT", path: "/repository/alice%2Flogs", body: { description: "its own" }, status: 200 },
  {
    who: "alice",
    method: "PUT",
    path: "/repository/alice%2Fapp%2Fpermissions%2Fuser%2Fbob",
    body: { description: "its own" },
    status: 200,
  },
  { who: "alice", method: "GET", path: "/repository/alice/app/permissions/user/bob", status: 200 },
  { who: "alice", method: "GET", path: "/repository/alice%2Fapp%2Fmirror", status: 200 },
];

describe.each(longTestEngines)("refuseAmbiguousPath on $name", (engine) => {
  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let registry: TestRegistry;
    let callers: Readonly<Record<Row["who"], Call>>;

    beforeAll(async () => {
      registry = await openTestRegistry({ engine });
      const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
      callers = {
        alice: await registry.session(alice),
        bob: await registry.session(bob),
        token: await registry.token(alice, "repo:read"),
      };
      const visibility = { visibility: "private", description: "" };
      for (const repository of names) await callers.alice("POST", "/repository", { repository, ...visibility });
      await callers.alice("PUT", "/repository/alice%2Fapp/permissions/user/bob", { role: "admin" });
    });
    afterAll(() => registry?.[Symbol.asyncDispose]());

    it.each(rows)(
      "answers $who with $status to $method $path",
      async ({ who, method, path, body, status, meanings }) => {
        const answer = await callers[who](method, path, body);

        expect(answer.status, JSON.stringify(answer.body)).toBe(status);
        for (const each of meanings ?? []) expect(answer.body.detail).toContain(each);
      },
    );

    it("left all that was not meant", async () => {
      const paths = names.map((name) => `/repository/${encodeURIComponent(`alice/${name}`)}`);

      const found = await Promise.all(paths.map((path) => callers.alice("GET", path)));

      expect(found.map(({ status, body }) => [status, body.name, body.description])).toEqual([
        [200, "app", ""],
        [200, "app/tag/x", ""],
        [200, "app/permissions/user/bob", "its own"],
        [200, "logs", "its own"],
        [200, "app/mirror", ""],
      ]);
    });
  });
});
