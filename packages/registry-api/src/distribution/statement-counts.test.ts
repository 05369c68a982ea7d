import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { pruneNamespaceJob } from "@plimsoll/registry/lifecycle/pruning/jobs";
import { listJobs } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";
import { putRobot, testTokenKey } from "../fixtures/test-tokens.ts";
import { createRegistryAuth } from "./identify-caller.ts";
import { signRegistryToken } from "./registry-tokens.ts";

/**
 * How many statements requests take; the requests of an upload are counted together. On PostgreSQL each statement is a round trip, also
 * `begin` and `commit`, which are not counted on SQLite; and one statement looks up caller and repository. Raise a number only for a
 * good reason.
 */
const expected = {
  "a user in their own namespace": {
    postgres: { blob: 9, blobInTwo: 10, blobInThree: 12, manifest: 6, movedTag: 8, sameAgain: 9, pull: 3 },
    sqlite: { blob: 13, blobInTwo: 15, blobInThree: 18, manifest: 17, movedTag: 19, sameAgain: 13, pull: 4 },
  },
  // In addition, the role of the robot is looked up at each request, and the quota at each step of an upload.
  "a robot where quota, policies and notifications are set": {
    postgres: { blob: 18, blobInTwo: 20, blobInThree: 23, manifest: 7, movedTag: 9, sameAgain: 10, pull: 4 },
    sqlite: { blob: 20, blobInTwo: 23, blobInThree: 27, manifest: 19, movedTag: 21, sameAgain: 16, pull: 5 },
  },
} as const;

/** A repository in a namespace with everything that a push looks up, and its robot. */
async function prepareLimited({ registry, store }: TestDistribution): Promise<AccountRow> {
  const alice = (await findAccount(store.db, "alice")) as AccountRow;
  const robot = await putRobot(registry, alice, { shortName: "ci", token: "ROBOTTOKEN" });
  const { id: repository_id } = await store.db
    .selectFrom("image_repository")
    .select("id")
    .where("name", "=", "images")
    .executeTakeFirstOrThrow();
  await store.db
    .insertInto("account_permission")
    .values({ repository_id, account_id: robot.id, role: "write" })
    .execute();
  const quota = { namespace_id: alice.id, limit_bytes: 1_000_000_000 };
  const { id: quota_id } = await store.db.insertInto("quota").values(quota).returning("id").executeTakeFirstOrThrow();
  for (const [type, threshold_percent] of [["Warning", 50] as const, ["Reject", 90] as const]) {
    await store.db.insertInto("quota_limit").values({ quota_id, type, threshold_percent }).execute();
  }
  const policy = { id: "policy", namespace_id: alice.id, repository_id, created_at: 0 };
  const values = { method: "number_of_tags", value: "10", tag_pattern: null, tag_pattern_matches: 1 } as const;
  await store.db
    .insertInto("prune_policy")
    .values({ ...policy, ...values })
    .execute();
  return robot;
}

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("statements of the distribution on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined).each(Object.entries(expected))("for %s are these", async (_, counts) => {
    const statements: string[] = [];
    await using world = await openTestDistribution({
      engine,
      onStatement: (text) => void statements.push(text),
      auth: (_app, served) =>
        createRegistryAuth({ ...served, db: served.store.db, tokenKey: testTokenKey, onlyVerified: false }),
    });
    const { store, registry } = world;
    const alice = (await findAccount(store.db, "alice")) as AccountRow;
    const headersOf = async ({ id, username, kind, credential_version }: AccountRow) => {
      const access = [{ type: "repository", name: "alice/images", actions: ["pull", "push"] }];
      const entity = { entity_kind: kind as "user" | "robot", entity_reference: id, credential_version };
      const token = { subject: username, audience: registry.settings.host, entity, access };
      return { authorization: `Bearer ${await signRegistryToken(token, testTokenKey, registry.time.now)}` };
    };
    let headers: Record<string, string> = await headersOf(alice);
    const send: TestDistribution["send"] = (method, path, options = {}) =>
      world.send(method, path, { ...options, as: "", headers: { ...options.headers, ...headers } });
    const during = async (work: () => Promise<unknown>) => {
      statements.length = 0;
      await work();
      return statements.slice();
    };
    const pushBlob = async (content: string) => {
      const answer = await send("POST", `alice/images/blobs/uploads/?digest=${digestOf(content)}`, { body: content });
      expect(answer.status).toBe(201);
    };
    const pushInParts = async (content: string, ...methods: readonly ("PATCH" | "PUT")[]) => {
      const started = await send("POST", "alice/images/blobs/uploads/");
      const location = started.headers.get("location") ?? "";
      for (const [index, method] of methods.entries()) {
        const body = index === 0 ? { body: content } : {};
        const query = method === "PUT" ? `?digest=${digestOf(content)}` : "";
        expect((await send(method, `${location}${query}`, body)).ok).toBe(true);
      }
    };
    const put = async (tag: string, body: string) => {
      const answer = await send("PUT", `alice/images/manifests/${tag}`, {
        headers: { "content-type": ociManifestType },
        body,
      });
      expect(answer.status).toBe(201);
    };
    const config = JSON.stringify({ architecture: "amd64", os: "linux", config: { Labels: {} } });
    await pushBlob(config);
    await pushBlob("a layer");
    const manifest = (note: string) =>
      JSON.stringify({
        schemaVersion: 2,
        mediaType: ociManifestType,
        annotations: { note },
        config: {
          mediaType: "application/vnd.oci.image.config.v1+json",
          digest: digestOf(config),
          size: config.length,
        },
        layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", digest: digestOf("a layer"), size: 7 }],
      });
    await put("first", manifest("first"));
    const isLimited = counts !== expected["a user in their own namespace"];
    if (isLimited) headers = await headersOf(await prepareLimited(world));
    if (isLimited) await send("GET", "alice/images/manifests/first"); // notes when the robot was first used

    const found = {
      blob: await during(() => pushBlob("another layer")),
      blobInTwo: await during(() => pushInParts("a layer in two requests", "PUT")),
      blobInThree: await during(() => pushInParts("a layer in three requests", "PATCH", "PUT")),
      manifest: await during(() => put("second", manifest("new"))),
      movedTag: await during(() => put("second", manifest("newer"))),
      sameAgain: await during(() => put("second", manifest("newer"))),
      pull: await during(() => send("GET", "alice/images/manifests/second")),
    };

    const took = Object.fromEntries(Object.entries(found).map(([name, texts]) => [name, texts.length]));
    expect(took, JSON.stringify(found, undefined, 2)).toEqual(counts[world.store.kind]);
    expect(await listJobs(store.db, { kind: pruneNamespaceJob.kind })).toHaveLength(isLimited ? 1 : 0);
  });
});
