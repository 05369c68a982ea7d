import { expect } from "vitest";
import { errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociManifestType, type TestDistribution, type TestSend } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const asManifest = { "content-type": ociManifestType };
const unknownLayer = digestOf("never pushed");

interface Refused {
  readonly title: string;
  readonly request: readonly [method: string, path: string, options?: TestSend];
  readonly answer: string;
  /** The entry of the usage log; undefined for none. */
  readonly entry?: Readonly<Record<string, unknown>>;
}

const manifestOf = (layer: string) =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: ociManifestType,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: layer, size: 1 },
    layers: [],
  });

const startUpload = `${name}/blobs/uploads/`;
const stranger = { kind: "push_repo_failed", error: "UNAUTHORIZED", username: "bob" };

const refused: readonly Refused[] = [
  {
    title: "a manifest that is none",
    request: ["PUT", `${name}/manifests/v2`, { headers: asManifest, body: "{}" }],
    answer: "400 MANIFEST_INVALID",
    entry: { kind: "push_repo_failed", error: "MANIFEST_INVALID", tag: "v2", username: "alice", repo: "images" },
  },
  {
    title: "a manifest whose parts are missing",
    request: ["PUT", `${name}/manifests/v2`, { headers: asManifest, body: manifestOf(unknownLayer) }],
    answer: "400 MANIFEST_BLOB_UNKNOWN",
    entry: { kind: "push_repo_failed", error: "MANIFEST_BLOB_UNKNOWN", tag: "v2" },
  },
  {
    title: "another image for an immutable tag",
    request: ["PUT", `${name}/manifests/fixed`, { headers: asManifest, body: "the second image" }],
    answer: "409 DENIED",
    entry: { kind: "push_repo_failed", error: "DENIED", tag: "fixed", message: expect.stringContaining("immutable") },
  },
  {
    title: "a name that no tag has",
    request: ["PUT", `${name}/manifests/-x`, { headers: asManifest, body: "{}" }],
    answer: "400 TAG_INVALID",
    entry: { kind: "push_repo_failed", error: "TAG_INVALID" },
  },
  {
    title: "a digest that is malformed",
    request: ["PUT", `${name}/manifests/sha256:abc`, { headers: asManifest, body: "{}" }],
    answer: "400 DIGEST_INVALID",
    entry: { kind: "push_repo_failed", error: "DIGEST_INVALID" },
  },
  {
    title: "a blob of another digest",
    request: ["POST", `${startUpload}?digest=${unknownLayer}`, { body: "something else" }],
    answer: "400 DIGEST_INVALID",
    entry: { kind: "push_repo_failed", error: "DIGEST_INVALID" },
  },
  {
    title: "an image of a user who may not push",
    request: ["PUT", `${name}/manifests/v2`, { as: "bob", headers: asManifest, body: "{}" }],
    answer: "401 UNAUTHORIZED",
    entry: { ...stranger, tag: "v2" },
  },
  {
    title: "an upload of a user who may not push",
    request: ["POST", startUpload, { as: "bob" }],
    answer: "401 UNAUTHORIZED",
    entry: stranger,
  },
  {
    title: "the deletion of a tag that is not there",
    request: ["DELETE", `${name}/manifests/v9`],
    answer: "404 MANIFEST_UNKNOWN",
    entry: { kind: "delete_tag_failed", error: "MANIFEST_UNKNOWN", tag: "v9" },
  },
  {
    title: "the deletion of an immutable tag",
    request: ["DELETE", `${name}/manifests/fixed`],
    answer: "409 DENIED",
    entry: { kind: "delete_tag_failed", error: "DENIED", tag: "fixed" },
  },
  {
    title: "the deletion by a user who may not",
    request: ["DELETE", `${name}/manifests/fixed`, { as: "bob" }],
    answer: "401 UNAUTHORIZED",
    entry: { ...stranger, kind: "delete_tag_failed", tag: "fixed" },
  },
  {
    title: "nothing of callers without credentials",
    request: ["POST", startUpload, { as: "" }],
    answer: "401 UNAUTHORIZED",
  },
  {
    title: "nothing of anonymous tokens",
    request: ["POST", startUpload, { as: "-" }],
    answer: "401 UNAUTHORIZED",
  },
  {
    title: "nothing of a token that is only for pulls, of a user who may push",
    request: ["POST", startUpload, { as: `alice ${name} pull` }],
    answer: "401 UNAUTHORIZED",
  },
  {
    title: "nothing where there is no repository",
    request: ["POST", "alice/none/blobs/uploads/", { as: "bob" }],
    answer: "401 UNAUTHORIZED",
  },
  {
    title: "nothing of an upload that is unknown, which begins again",
    request: ["PATCH", `${startUpload}00000000-0000-0000-0000-000000000000`, { body: "x" }],
    answer: "404 BLOB_UPLOAD_UNKNOWN",
  },
];

/** A repository with an immutable tag, and a user who has no right on it. */
async function fill({ registry, store, pushImage }: TestDistribution): Promise<string> {
  await registry.user("bob");
  await pushImage(name, "fixed");
  const { content } = await pushImage(name, "other", { layer: "another layer" });
  await store.db.updateTable("tag").set({ immutable_by: "request" }).where("name", "=", "fixed").execute();
  return content;
}

onEachEngine("the usage log of refusals", (test) => {
  for (const { title, request, answer, entry } of refused)
    test(`tells of ${title}`, async (world) => {
      const second = await fill(world);
      const before = (await world.registry.usageLog()).length;
      const [method, path, options = {}] = request;
      const body = options.body === "the second image" ? { body: second } : {};

      const response = await world.send(method, path, { ...options, ...body });

      expect(await errorOf(response)).toBe(answer);
      const entries = (await world.registry.usageLog()).slice(before);
      expect(entries.map(({ kind, metadata }) => ({ kind, ...(metadata as object) }))).toMatchObject(
        entry === undefined ? [] : [entry],
      );
    });

  test("tells of bytes that the quota refuses", async (world) => {
    await fill(world);
    const { store, registry, send } = world;
    const { id: namespace_id } = await store.db
      .selectFrom("account")
      .select("id")
      .where("username", "=", "alice")
      .executeTakeFirstOrThrow();
    const { id: quota_id } = await store.db
      .insertInto("quota")
      .values({ namespace_id, limit_bytes: 1 })
      .returning("id")
      .executeTakeFirstOrThrow();
    await store.db.insertInto("quota_limit").values({ quota_id, type: "Reject", threshold_percent: 100 }).execute();

    expect(await errorOf(await send("POST", startUpload))).toBe("403 DENIED");

    expect((await registry.usageLog()).at(-1)).toMatchObject({
      kind: "push_repo_failed",
      metadata: { error: "DENIED", message: expect.stringContaining("Quota"), username: "alice" },
    });
  });
});
