import { engineTitle, longTestEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";

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
