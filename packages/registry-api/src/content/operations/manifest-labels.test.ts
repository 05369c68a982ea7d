import { type ManifestLabels, ownLabels } from "@plimsoll/registry/content/change-labels";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

const hour = 3_600_000;
const label = { key: "team", value: "blue", media_type: null };

async function openApp(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  const writer = await registry.user("writer");
  const app = await putRepository(registry, {
    namespace: ada,
    name: "app",
    visibility: "public",
    roles: { write: writer },
  });
  const manifest = await putManifest(registry, app, { content: { layers: [] } });
  const labels = `/repository/ada/app/manifest/${manifest.digest}/labels`;
  return { registry, ada, app, manifest, labels, call: await registry.session(writer) };
}

/** Gives an image labels as a push of its manifest does. */
async function insertOwnLabels({ store }: { readonly store: RegistryStore }, labels: ManifestLabels): Promise<void> {
  await store.db
    .insertInto("manifest_label")
    .values([...ownLabels(labels)])
    .execute();
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "manifestLabelOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("add a label, show it, and delete it", async () => {
      const { registry, manifest, labels, call } = await openApp({ engine });
      await using _ = registry;
      await insertOwnLabels(registry, {
        manifestId: manifest.id,
        labels: { "org.opencontainers.image.title": "App", Team: "red" },
        now: registry.time.now,
      });

      const added = await call("POST", labels, label);
      const { id } = added.body.label;
      const one = await registry.anonymous("GET", `${labels}/${id}`);
      const all = await registry.anonymous("GET", labels);
      const some = await registry.anonymous("GET", `${labels}?filter=te`);
      const none = await registry.anonymous("GET", `${labels}?filter=%25`);
      const deleted = await call("DELETE", `${labels}/${id}`);

      expect(added).toMatchObject({
        status: 201,
        headers: { location: `http://localhost/api/v1${labels.replace("ada/app", "ada%2Fapp")}/${id}` },
        body: { label: { id, key: "team", value: "blue", source_type: "api", media_type: "text/plain" } },
      });
      expect(one.body).toEqual(added.body.label);
      expect(all.body.labels.map(({ key }: { key: string }) => key)).toEqual([
        "Team",
        "org.opencontainers.image.title",
        "team",
      ]);
      expect(some.body).toEqual({ labels: [added.body.label] });
      expect(none.body).toEqual({ labels: [] });
      expect([deleted.status, (await call("GET", `${labels}/${id}`)).status]).toEqual([204, 404]);
      const place = { id, key: "team", value: "blue", manifest_digest: manifest.digest, namespace: "ada", repo: "app" };
      expect(await registry.usageLog()).toEqual([
        { kind: "manifest_label_add", metadata: { ...place, media_type: "text/plain" } },
        { kind: "manifest_label_delete", metadata: place },
      ]);
    });
  },
);

describe("addManifestLabel", () => {
  it.each([
    { value: "[1]", media_type: null, shown: "application/json" },
    { value: '{"a":1}', media_type: null, shown: "application/json" },
    { value: "{a", media_type: null, shown: "text/plain" },
    { value: "1", media_type: null, shown: "text/plain" },
    { value: "{}", media_type: "text/plain", shown: "text/plain" },
  ])("takes $value of the type $media_type for $shown", async ({ value, media_type, shown }) => {
    const { registry, labels, call } = await openApp();
    await using _ = registry;

    expect((await call("POST", labels, { key: "a", value, media_type })).body.label.media_type).toBe(shown);
  });

  it.each([
    { body: { ...label, key: "" }, detail: "Label key is invalid" },
    { body: { ...label, key: "Team" }, detail: "Label key is invalid" },
    { body: { ...label, key: "a_b" }, detail: "Label key is invalid" },
    { body: { ...label, key: "a..b" }, detail: "Label key is invalid" },
    { body: { ...label, key: "a." }, detail: "Label key is invalid" },
    { body: { ...label, key: "a".repeat(256) }, detail: "key" },
    { body: { ...label, key: "com.docker.x" }, detail: "Label has a reserved prefix" },
    { body: { ...label, key: "org.opencontainers.image.title" }, detail: "Label has a reserved prefix" },
    { body: { ...label, key: "internal" }, detail: "Label has a reserved prefix" },
    { body: { ...label, key: "quay.immutable" }, detail: "Label has a reserved prefix" },
    { body: { ...label, media_type: "text/html" }, detail: "media_type" },
    { body: { key: "a", value: "b" }, detail: "media_type" },
    { body: { ...label, value: 1 }, detail: "value" },
    { body: { ...label, value: "x".repeat(65_537) }, detail: "value" },
  ])("refuses $body.key with $detail", async ({ body, detail }) => {
    const { registry, labels, call } = await openApp();
    await using _ = registry;

    const answer = await call("POST", labels, body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("allows a key twice", async () => {
    const { registry, labels, call } = await openApp();
    await using _ = registry;
    await call("POST", labels, label);

    await call("POST", labels, label);

    expect((await call("GET", labels)).body.labels).toHaveLength(2);
  });

  it.each([
    { value: "3h", endMs: 2 * hour },
    { value: "1m", endMs: 0 },
    { value: "soon", endMs: undefined },
  ])("ends the living tags of the image after $value, from when they began", async ({ value, endMs }) => {
    const { registry, app, manifest, labels, call } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    await putTag(registry, app, { name: "v1", manifest, startAt: now - hour + 1000 });
    const expiration = { key: "quay.expires-after", value, media_type: null };

    const added = await call("POST", labels, expiration);

    expect(added.status).toBe(201);
    const [tag] = (await call("GET", "/repository/ada/app/tag/")).body.tags;
    expect(tag.end_ts).toBe(endMs === undefined ? undefined : (now + endMs + 1000) / 1000);
  });
});

describe("deleteManifestLabel", () => {
  it("refuses to delete what the image brought itself", async () => {
    const { registry, manifest, labels, call } = await openApp();
    await using _ = registry;
    const brought = { manifestId: manifest.id, labels: { a: "b" }, now: registry.time.now };
    await insertOwnLabels(registry, brought);
    const [{ id }] = (await call("GET", labels)).body.labels;

    expect((await call("DELETE", `${labels}/${id}`)).status).toBe(400);
    expect((await call("GET", labels)).body.labels).toHaveLength(1);
  });

  it("knows no label of another image", async () => {
    const { registry, app, labels, call } = await openApp();
    await using _ = registry;
    const other = await putManifest(registry, app, { content: { layers: [], annotations: {} } });
    const { body } = await call("POST", labels, label);

    const path = `/repository/ada/app/manifest/${other.digest}/labels/${body.label.id}`;

    expect([(await call("GET", path)).status, (await call("DELETE", path)).status]).toEqual([404, 404]);
  });
});

describe("manifestLabelOperations", () => {
  it.each([
    { who: "anonymous", write: 401 },
    { who: "stranger", write: 403 },
    { who: "auditor", write: 403 },
  ])("let $who only look", async ({ who, write }) => {
    const { registry, labels, call: writer } = await openApp();
    await using _ = registry;
    const { body } = await writer("POST", labels, label);
    const call = who === "anonymous" ? registry.anonymous : await registry.session(await registry.user(who));

    expect((await call("GET", labels)).status).toBe(200);
    expect((await call("POST", labels, label)).status).toBe(write);
    expect((await call("DELETE", `${labels}/${body.label.id}`)).status).toBe(write);
  });

  it("change nothing while the repository takes no changes", async () => {
    const { registry, ada, labels } = await openApp();
    await using _ = registry;
    const call = await registry.session(ada);
    await call("PUT", "/repository/ada/app/changestate", { state: "READ_ONLY" });

    expect((await call("POST", labels, {})).status).toBe(503);
    expect((await call("DELETE", `${labels}/x`)).status).toBe(503);
    expect((await call("GET", labels)).status).toBe(200);
  });

  it("know nothing of a manifest that is not there", async () => {
    const { registry, call } = await openApp();
    await using _ = registry;
    const labels = `/repository/ada/app/manifest/sha256:${"0".repeat(64)}/labels`;

    expect((await call("GET", labels)).status).toBe(404);
    expect((await call("POST", labels, label)).status).toBe(404);
  });
});
