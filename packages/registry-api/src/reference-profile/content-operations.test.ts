import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

async function openReference() {
  const registry = await openTestRegistry({ settings: { compatibility: "reference" } });
  const [ann, mel, bob] = [await registry.user("ann"), await registry.user("mel"), await registry.user("bob")];
  const acme = await registry.organization("acme", { admin: [ann], member: [mel] });
  const app = await putRepository(registry, { namespace: acme, name: "app", creator: ann });
  const first = await putManifest(registry, app, { content: { layers: [], annotations: { of: "first" } } });
  const second = await putManifest(registry, app, { content: { layers: [], annotations: { of: "second" } } });
  await putTag(registry, app, { name: "latest", manifest: first });
  const [admin, member] = [await registry.session(ann), await registry.session(mel)];
  const stranger = await registry.session(bob);
  return { registry, admin, member, stranger, anonymous: registry.anonymous, first, second };
}

const expire = "/repository/acme/app/tag/latest/expire";
const policies = ["/organization/acme/immutabilitypolicy/", "/repository/acme/app/immutabilitypolicy/"];

describe("contentOperations", () => {
  it("expire a tag that is alive, which then cannot be restored and has no history", async () => {
    const { registry: owned, admin } = await openReference();
    await using registry = owned;

    const answer = await admin("POST", expire, { is_alive: true, include_submanifests: true });
    const again = await admin("POST", expire, { is_alive: true });
    const history = await admin("GET", "/repository/acme/app/tag/");

    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(again.status).toBe(404);
    expect(history.body.tags).toEqual([]);
    expect((await registry.usageLog()).map(({ kind }) => kind)).toEqual(["permanently_delete_tag"]);
  });

  it("expire the earlier lifetimes of one manifest, and no other", async () => {
    const { registry: owned, admin, first, second } = await openReference();
    await using registry = owned;
    registry.time.now += 1000;
    await admin("PUT", "/repository/acme/app/tag/latest", { manifest_digest: second.digest });
    registry.time.now += 1000;
    await admin("DELETE", "/repository/acme/app/tag/latest");
    registry.time.now += 1000;

    const answer = await admin("POST", expire, { is_alive: false, manifest_digest: first.digest });
    const history = await admin("GET", "/repository/acme/app/tag/");

    expect(answer.status).toBe(200);
    expect(history.body.tags).toMatchObject([{ manifest_digest: second.digest }]);
  });

  it.each([
    { body: undefined, status: 400, text: "Missing JSON body" },
    { body: {}, status: 400, text: "manifest_digest required when is_alive set to false" },
    { body: { manifest_digest: `sha256:${"0".repeat(64)}` }, status: 404 },
  ])("refuse $body", async ({ body, status, text }) => {
    const { registry: owned, admin } = await openReference();
    await using _ = owned;

    const answer = await admin("POST", expire, body);

    expect(answer.status).toBe(status);
    if (text !== undefined) expect(answer.body.error_message).toBe(text);
  });

  it("do not expire an immutable tag", async () => {
    const { registry: owned, admin } = await openReference();
    await using _ = owned;
    await admin("PUT", "/repository/acme/app/tag/latest", { immutable: true });

    expect((await admin("POST", expire, { is_alive: true })).status).toBe(409);
  });

  it.each(policies)("read, change and delete a policy of %s, which keeps its uuid", async (path) => {
    const { registry: owned, admin } = await openReference();
    await using _ = owned;
    await admin("POST", path, { tagPattern: "other" });
    const { uuid } = (await admin("POST", path, { tagPattern: "v1" })).body;

    const read = await admin("GET", `${path}${uuid}`);
    const changed = await admin("PUT", `${path}${uuid}`, { uuid, tagPattern: "v2", tagPatternMatches: false });
    const after = await admin("GET", `${path}${uuid}`);
    const taken = await admin("PUT", `${path}${uuid}`, { tagPattern: "other" });
    const removed = await admin("DELETE", `${path}${uuid}`);
    const gone = [await admin("GET", `${path}${uuid}`), await admin("PUT", `${path}${uuid}`, { tagPattern: "v3" })];

    expect(read.body).toEqual({ uuid, tagPattern: "v1", tagPatternMatches: true });
    expect(changed.status).toBe(204);
    expect(after.body).toEqual({ uuid, tagPattern: "v2", tagPatternMatches: false });
    expect(taken.status).toBe(400);
    expect(removed).toMatchObject({ status: 200, body: { uuid } });
    expect(gone.map(({ status }) => status)).toEqual([404, 404]);
  });

  const none = "00000000-0000-4000-8000-000000000000";

  it.each([
    { method: "POST", path: expire, body: { is_alive: true }, statuses: [401, 403, 403, 200] },
    ...policies.flatMap((path) => [
      { method: "PUT", path: `${path}${none}`, body: { tagPattern: "v1" }, statuses: [401, 403, 403, 404] },
    ]),
    { method: "GET", path: `${policies[0]}${none}`, body: undefined, statuses: [401, 403, 404, 404] },
    { method: "GET", path: `${policies[1]}${none}`, body: undefined, statuses: [401, 403, 403, 404] },
  ])("answer $method $path to anonymous, a stranger, a member and an admin: $statuses", async (row) => {
    const { registry: owned, anonymous, stranger, member, admin } = await openReference();
    await using _ = owned;
    const answers = [];

    for (const call of [anonymous, stranger, member, admin]) answers.push(await call(row.method, row.path, row.body));

    expect(answers.map(({ status }) => status)).toEqual(row.statuses);
  });

  it("are not there in the profile of the contract", async () => {
    await using registry = await openTestRegistry();
    const ann = await registry.user("ann");
    await registry.organization("acme", { admin: [ann] });
    const admin = await registry.session(ann);

    const answers = [
      await admin("POST", expire, { is_alive: true }),
      await admin("PUT", `${policies[0]}${none}`, { tagPattern: "v1" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([405, 405]);
  });
});

async function open(engine: TestEngine) {
  const registry = await openTestRegistry({ engine, settings: { compatibility: "reference" } });
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  const app = await putRepository(registry, { namespace: ann, name: "app", creator: ann });
  const manifest = await putManifest(registry, app, { content: { layers: [] } });
  const now = registry.time.now;
  await putTag(registry, app, { name: "v1_0", manifest, startAt: now - 5000 });
  const pull = (metadata: object, ago: number) => ({
    kind: "pull_repo" as const,
    namespace_id: ann.id,
    repository_id: app.id,
    performer_id: null,
    performer_name: null,
    ip: null,
    metadata: JSON.stringify(metadata),
    at: now - ago,
  });
  await registry.store.db
    .insertInto("usage_log")
    .values([
      pull({ tag: "v1_0" }, 9000), // when it pointed to another image
      pull({ tag: "v1_0" }, 4000),
      pull({ tag: "V1_0" }, 3000),
      pull({ tag: "v1-0", "user-agent": '"tag":"v1_0"' }, 2500),
      pull({ manifest_digest: manifest.digest }, 2000),
    ])
    .execute();
  const [owner, stranger] = [await registry.session(ann), await registry.session(bob)];
  return { registry, owner, stranger, manifest };
}

const path = "/repository/ann/app";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "pullStatisticsOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("count the pulls by a tag, and of its image", async () => {
      const { registry: owned, owner, stranger, manifest } = await open(engine);
      await using _ = owned;

      const ofTag = await owner("GET", `${path}/tag/v1_0/pull_statistics`);
      const ofImage = await owner("GET", `${path}/manifest/${manifest.digest}/pull_statistics`);
      const others = [
        await owner("GET", `${path}/tag/none/pull_statistics`),
        await owner("GET", `${path}/manifest/sha256:${"0".repeat(64)}/pull_statistics`),
        await stranger("GET", `${path}/tag/v1_0/pull_statistics`),
        await stranger("GET", `${path}/manifest/${manifest.digest}/pull_statistics`),
      ];

      const last = { manifest_pull_count: 2, last_manifest_pull_date: "Sat, 21 Nov 2026 11:59:58 -0000" };
      expect(ofTag.body).toEqual({
        tag_name: "v1_0",
        tag_pull_count: 2,
        last_tag_pull_date: "Sat, 21 Nov 2026 11:59:56 -0000",
        current_manifest_digest: manifest.digest,
        ...last,
      });
      expect(ofImage.body).toEqual({ manifest_digest: manifest.digest, ...last });
      expect(others.map(({ status }) => status)).toEqual([404, 404, 403, 403]);
    });
  },
);

it.each([true, false])(
  "capabilitiesOperations tell everyone whether sparse indexes are accepted: %s",
  async (sparseIndexes) => {
    await using registry = await openTestRegistry({ settings: { compatibility: "reference", sparseIndexes } });

    const answer = await registry.anonymous("GET", "/registry/capabilities");

    expect(answer).toMatchObject({
      status: 200,
      body: {
        sparse_manifests: {
          supported: sparseIndexes,
          required_architectures: [],
          optional_architectures_allowed: sparseIndexes,
        },
        mirror_architectures: [],
      },
    });
  },
);
