import { readFileSync } from "node:fs";
import { insertUpload } from "@plimsoll/registry/content/queries/uploads";
import { defaultKept, type KeptName } from "@plimsoll/registry/limits/kept-limits";
import { lockOwner } from "@plimsoll/registry/limits/queries";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { lockIsAwaited } from "../fixtures/lock-is-awaited.ts";
import { ociManifestType } from "../fixtures/test-distribution.ts";
import { type Call, openTestRegistry } from "../fixtures/test-registry.ts";

const page = readFileSync(new URL("../../../../docs/concepts/what-a-namespace-may-keep.md", import.meta.url), "utf8");

/** The rows of the tables of the page. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("`"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** A column with one of these names ties a row to a tenant. */
const owning =
  /^(?:namespace|repository|account|organization|owner|manifest|team|client|robot|build|mirror|quota|trigger)_id$/;

describe("what a namespace may keep", () => {
  it("names every table whose rows belong to a tenant, and no other table", async () => {
    await using registry = await openTestRegistry();
    const columns = await sql<{ table: string; column: string }>`
      select m.name as "table", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
      where m.type = 'table'`.execute(registry.store.db);
    const owned = new Set(columns.rows.filter(({ column }) => owning.test(column)).map(({ table }) => table));

    const named = rows.flatMap(([, , tables = ""]) => [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => table));

    expect(named.toSorted()).toEqual([...owned].toSorted());
  });

  it("has the limits with their defaults", () => {
    const shown = rows.flatMap(([, , , bound = ""]) => {
      const [, name, most] = /`keptLimits\.(\w+)`: ([\d,]+)/.exec(bound) ?? [];
      return name === undefined ? [] : [[name, Number(most?.replaceAll(",", ""))]];
    });

    expect(Object.fromEntries(shown)).toEqual(defaultKept);
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "limits of rows on $title",
  ({ engine }) => {
    /** What a user does to get rows of a kind, and whose they are. */
    const ways: Readonly<Partial<Record<KeptName, (call: Call, number: number) => ReturnType<Call>>>> = {
      applications: (call, number) => call("POST", "/organization/acme/applications", { name: `app ${number}` }),
      appTokens: (call, number) => call("POST", "/user/apptoken", { title: `token ${number}` }),
      notifications: (call) =>
        call("POST", "/repository/acme/app/notification/", {
          ...{ event: "repo_push", method: "webhook", eventConfig: {} },
          config: { url: "https://example.com/hook" },
        }),
      prunePolicies: (call, number) =>
        call("POST", "/organization/acme/autoprunepolicy/", { method: "number_of_tags", value: number + 1 }),
      repositories: (call, number) =>
        call("POST", "/repository", {
          namespace: "acme",
          repository: `r${number}`,
          visibility: "private",
          description: "",
        }),
      repositoryTokens: (call, number) => call("POST", "/repository/acme/app/tokens/", { friendlyName: `t${number}` }),
      robots: (call, number) => call("PUT", `/organization/acme/robots/robot${number}`, {}),
      teams: (call, number) => call("PUT", `/organization/acme/team/team${number}`, { role: "member" }),
    };

    it.skipIf(engine.skip !== undefined).each(Object.entries(ways))(
      "refuse one %s too many, also of many at once",
      async (name, go) => {
        const before: Partial<Record<KeptName, number>> = { repositories: 1, teams: 1 };
        const most = (before[name as KeptName] ?? 0) + 2;
        const keptLimits = { ...defaultKept, [name]: most };
        await using registry = await openTestRegistry({
          engine,
          settings: { keptLimits },
          features: { autoPrune: true },
        });
        const alice = await registry.user("alice");
        await registry.organization("acme", { admin: [alice] });
        const call = await registry.session(alice);
        await call("POST", "/repository", {
          namespace: "acme",
          repository: "app",
          visibility: "private",
          description: "",
        });

        const answers = await Promise.all(Array.from({ length: 8 }, (_, number) => go(call, number)));

        const refused = answers.filter(({ status }) => status === 400);
        expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(2);
        expect(refused).toHaveLength(6);
        expect(refused[0]?.body.detail).toContain(`raise keptLimits.${name}`);
      },
    );
  },
);

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "fixed limits of rows on $title",
  ({ engine }) => {
    const path = "/repository/alice/images";
    const hook = {
      event: "repo_push",
      method: "webhook",
      eventConfig: {},
      config: { url: "https://example.com/hook" },
    };
    const ways: Readonly<Record<string, readonly [most: number, path: string, body: (number: number) => object]>> = {
      "ignore rules": [200, `${path}/ignorerules`, (number) => ({ vulnerability: `CVE-2026-${number}`, reason: "r" })],
      notifications: [100, `${path}/notification/`, () => hook],
      "notifications of a namespace": [100, "/user/namespacenotifications", () => ({ ...hook, event: "quota_error" })],
      "prune policies": [50, `${path}/autoprunepolicy/`, (number) => ({ method: "number_of_tags", value: number + 1 })],
    };

    it.skipIf(engine.skip !== undefined).each(Object.entries(ways))(
      "hold for %s that are added at the same moment",
      async (_, [most, way, body]) => {
        await using registry = await openTestRegistry({ engine, features: { autoPrune: true } });
        const call = await registry.session(await registry.user("alice"));
        const repository = { namespace: "alice", repository: "images", visibility: "private", description: "" };
        await call("POST", "/repository", repository);
        const expires = new Date(registry.time.now + 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
        const numbers = Array.from({ length: most + 5 }, (_, number) => number);

        const answers = await Promise.all(
          numbers.map((number) =>
            call("POST", way, { ...body(number), expires: way.endsWith("rules") ? expires : undefined }),
          ),
        );

        const done = answers.filter(({ status }) => status < 300);
        expect([done.length, answers.find(({ status }) => status >= 300)]).toMatchObject([most, { status: 400 }]);
      },
    );
  },
);

onEachEngine("limits of pushes", (test) => {
  test(
    "refuse the first tag beyond them, of many pushes at once, of tags that were moved and of those that were added by name",
    async (world) => {
      const { send } = world;
      const { content, digest } = await world.pushImage("alice/images", "t0");
      const headers = { "content-type": ociManifestType };
      const put = (reference: string) => send("PUT", `alice/images/manifests/${reference}`, { headers, body: content });

      const together = await put(`${digest}?tag=a&tag=b&tag=c`);
      const moved = [await put("t0"), await put("t0")]; // each move keeps the earlier lifetime
      const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => put(`n${number}`)));

      expect([together, ...moved].map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(25 - 4 - 2);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(40 - 19);
    },
    { settings: { keptLimits: { ...defaultKept, tags: 25 } } },
  );

  test(
    "count an upload that begins while another one does",
    async ({ send, store, pushImage }) => {
      await pushImage("alice/images", "first");
      const { id, namespace_id } = await store.db.selectFrom("image_repository").selectAll().executeTakeFirstOrThrow();
      const row = { id: "first", repository_id: id, namespace_id, account_id: namespace_id, received_bytes: 0 };
      const { promise: answered, resolve } = Promise.withResolvers<Response>();
      await store.transaction(async (db) => {
        await lockOwner(db, "user", namespace_id);
        await insertUpload(db, { ...row, digest: null, created_at: 0, updated_at: 0 });
        void send("POST", "alice/images/blobs/uploads/").then(resolve);
        if (store.kind === "postgres") await Promise.race([answered, lockIsAwaited(db)]);
      });

      const { status } = await answered;

      expect(status).toBe(403);
      expect(await store.db.selectFrom("upload").select("id").execute()).toEqual([{ id: "first" }]);
    },
    { settings: { keptLimits: { ...defaultKept, uploads: 1 } } },
  );

  test(
    "refuse tags and uploads beyond them, with the error of the protocol",
    async (world) => {
      const { send } = world;
      const { content } = await world.pushImage("alice/images", "first");
      const headers = { "content-type": ociManifestType };
      const put = (tag: string) => send("PUT", `alice/images/manifests/${tag}`, { headers, body: content });
      const start = () => send("POST", "alice/images/blobs/uploads/");

      const [second, third] = [await put("second"), await put("third")];
      const uploads = [await start(), await start(), await start()];

      expect([second.status, third.status]).toEqual([201, 403]);
      expect(await third.json()).toMatchObject({
        errors: [{ code: "DENIED", message: expect.stringContaining("keptLimits.tags") }],
      });
      expect(uploads.map(({ status }) => status)).toEqual([202, 202, 403]);
    },
    { settings: { keptLimits: { ...defaultKept, tags: 2, uploads: 2 } } },
  );
});
