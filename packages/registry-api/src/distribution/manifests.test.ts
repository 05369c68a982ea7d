import { findAccount } from "@plimsoll/registry/access/queries";
import { expect, vi } from "vitest";
import { errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociIndexType, ociManifestType } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const manifestHeaders = { "content-type": ociManifestType };

onEachEngine("manifests", (test) => {
  test("are given back by tag and digest exactly as they came", async ({ send, pushImage }) => {
    const { digest, content } = await pushImage(name, "latest", { manifest: { unknown: { a: [1.0] } } });

    for (const reference of ["latest", digest]) {
      const head = await send("HEAD", `${name}/manifests/${reference}`);
      const get = await send("GET", `${name}/manifests/${reference}`);
      expect(await get.text()).toBe(content);
      for (const response of [head, get]) {
        expect([
          response.status,
          ...headersOf(response, "content-type", "content-length", "docker-content-digest"),
        ]).toEqual([200, ociManifestType, String(content.length), digest]);
      }
    }
  });

  test("of many bytes are read and stored one after the other", async ({ send, pushImage, store }) => {
    const { content } = await pushImage(name, "latest");
    const long = (note: string) => `${content.slice(0, -1)},"note":"${note.repeat(100_000)}"}`;
    const [begin, gate] = [vi.spyOn(store, "transaction"), Promise.withResolvers<void>()];
    const isHeld = () => begin.mock.calls.length > 0;
    begin.mockImplementationOnce(async (work) => {
      await gate.promise;
      return store.transaction(work);
    });

    const put = (note: string) =>
      send("PUT", `${name}/manifests/${note}`, { headers: manifestHeaders, body: long(note) });
    const pushes = ["a", "b", "c"].map(put);
    await expect.poll(isHeld).toBe(true);
    const short = await send("PUT", `${name}/manifests/short`, { headers: manifestHeaders, body: content });
    const begun = begin.mock.calls.length;
    gate.resolve();

    expect([short.status, begun]).toEqual([201, 2]);
    expect((await Promise.all(pushes)).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test("are logged with the account that pushes and pulls", async ({ send, pushImage, registry }) => {
    const { digest } = await pushImage(name, "latest");
    await send("GET", `${name}/manifests/${digest}`, { headers: { "user-agent": "test/1" } });
    await send("HEAD", `${name}/manifests/latest`);
    await send("DELETE", `${name}/manifests/latest`);

    const logged = await registry.usageLog();

    const place = { repo: "images", namespace: "alice", username: "alice" };
    expect(logged).toMatchObject([
      { kind: "create_repo", metadata: { repo: "images", namespace: "alice" } },
      { kind: "push_repo", metadata: { ...place, tag: "latest", mediaType: ociManifestType } },
      { kind: "pull_repo", metadata: { ...place, manifest_digest: digest, "user-agent": "test/1" } },
      { kind: "delete_tag", metadata: { ...place, tag: "latest" } },
    ]);
  });

  test("are refused when they are none", async ({ send, pushBlob }) => {
    const layer = await pushBlob(name, "layer");
    const part = (digest: string, size: number) => ({ mediaType: "application/x", digest, size });
    const image = { schemaVersion: 2, config: part(layer, 5), layers: [] };
    const put = async (body: unknown, headers: Record<string, string> = manifestHeaders, reference = "latest") =>
      errorOf(
        await send("PUT", `${name}/manifests/${reference}`, {
          headers,
          body: typeof body === "string" ? body : JSON.stringify(body),
        }),
      );
    const type = (each: string) => ({ "content-type": each });

    expect(await put("{")).toBe("400 MANIFEST_INVALID");
    expect(await put("[]")).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, schemaVersion: 1 })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, mediaType: ociIndexType })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, config: undefined })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, layers: {} })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, layers: [part(layer, -1)] })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, layers: [part(layer, 6)] })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, layers: [part("sha256:12", 6)] })).toBe("400 MANIFEST_INVALID");
    expect(await put({ ...image, layers: [part(digestOf("no"), 2)] })).toBe("400 MANIFEST_BLOB_UNKNOWN");
    expect(
      await put(
        { schemaVersion: 2, manifests: [{ ...part(layer, 5), mediaType: ociManifestType }] },
        type(ociIndexType),
      ),
    ).toBe("400 MANIFEST_BLOB_UNKNOWN");
    expect(await put(image, manifestHeaders, digestOf("other"))).toBe("400 DIGEST_INVALID");
    expect(await put(image, manifestHeaders, "sha256:12")).toBe("400 DIGEST_INVALID");
    expect(await put(image, manifestHeaders, ".tag")).toBe("400 TAG_INVALID");
    for (const each of [
      "application/vnd.docker.distribution.manifest.v1+prettyjws",
      "application/vnd.docker.distribution.manifest.v1+json",
      "application/json",
      "text/plain",
    ]) {
      expect(await put(image, type(each))).toBe("415 MANIFEST_INVALID");
    }
    expect((await send("GET", `${name}/tags/list`)).status).toBe(200);
  });

  test("say themselves what they are where the request does not", async ({ send, pushBlob }) => {
    const config = { mediaType: "application/x", digest: await pushBlob(name, "{}"), size: 2 };
    const image = { schemaVersion: 2, config, layers: [] };
    const put = (body: unknown) => send("PUT", `${name}/manifests/latest`, { body: Buffer.from(JSON.stringify(body)) });

    expect(await errorOf(await put(image))).toBe("415 MANIFEST_INVALID");
    expect((await put({ ...image, mediaType: ociManifestType })).status).toBe(201);
    expect((await send("HEAD", `${name}/manifests/latest`)).headers.get("content-type")).toBe(ociManifestType);
  });

  test("may say null for a list of nothing", async ({ send, pushBlob, registry, store }) => {
    const config = { mediaType: "application/x", digest: await pushBlob(name, "{}"), size: 2 };
    const image = { schemaVersion: 2, mediaType: ociManifestType, config, layers: null };
    const index = { schemaVersion: 2, mediaType: ociIndexType, manifests: null };
    for (const [tag, body] of Object.entries({ image, index })) {
      const headers = { "content-type": body.mediaType };
      const put = await send("PUT", `${name}/manifests/${tag}`, { headers, body: JSON.stringify(body) });
      expect([tag, put.status]).toEqual([tag, 201]);
    }
    const account = await findAccount(store.db, "alice");
    const alice = account ? await registry.session(account) : registry.anonymous;

    const { body: tags } = await alice("GET", `/repository/${name}/tag/`);
    const shown = await alice("GET", `/repository/${name}/manifest/${digestOf(JSON.stringify(image))}`);

    const byName = Object.groupBy(tags.tags as { name: string }[], (tag) => tag.name);
    expect(byName).toMatchObject({ image: [{ is_manifest_list: false }], index: [{ child_manifest_count: 0 }] });
    expect(shown.body).toMatchObject({ layers: [] });
  });

  test("can be of Docker's types and by sha512", async ({ send, pushBlob }) => {
    const mediaType = "application/vnd.docker.distribution.manifest.v2+json";
    const digest = await pushBlob(name, "{}");
    const config = { mediaType: "application/vnd.docker.container.image.v1+json", digest, size: 2 };
    const body = JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [] });
    const reference = digestOf(body, "sha512");

    const put = await send("PUT", `${name}/manifests/${reference}`, { headers: { "content-type": mediaType }, body });

    expect([put.status, put.headers.get("docker-content-digest")]).toEqual([201, reference]);
    const get = await send("GET", put.headers.get("location") ?? "");
    expect([await get.text(), get.headers.get("content-type")]).toEqual([body, mediaType]);
  });

  test("are pushed by digest under several tags at once", async ({ send, pushImage, registry }) => {
    const { content, digest } = await pushImage(name, undefined);
    const put = (query: string, reference = digest) =>
      send("PUT", `${name}/manifests/${reference}?${query}`, { headers: manifestHeaders, body: content });

    const pushed = await put("tag=one&tag=two&tag=one");

    expect([pushed.status, pushed.headers.get("oci-tag")]).toEqual([201, "one, two"]);
    for (const reference of ["one", "two"]) {
      const head = await send("HEAD", `${name}/manifests/${reference}`);
      expect([reference, head.status, head.headers.get("docker-content-digest")]).toEqual([reference, 200, digest]);
    }
    expect((await registry.usageLog()).filter(({ kind }) => kind === "push_repo")).toMatchObject([
      { metadata: { tag: "one" } },
      { metadata: { tag: "two" } },
    ]);
    expect(await errorOf(await put("tag=three&tag=.x"))).toBe("400 TAG_INVALID");
    expect(await errorOf(await put("tag=other", "three"))).toBe("400 INVALID_REQUEST");
    const many = Array.from({ length: 101 }, (_, index) => `tag=t${index}`).join("&");
    expect(await errorOf(await put(many))).toBe("414 TOO_MANY_TAGS_REQUESTED");
    expect((await send("HEAD", `${name}/manifests/three`)).status).toBe(404);
    expect((await put("")).headers.get("oci-tag")).toBe(null);
  });

  test("by sha512 have tags, too", async ({ send, pushImage }) => {
    const { content } = await pushImage(name, undefined);
    const digest = digestOf(content, "sha512");
    const headers = manifestHeaders;

    const pushed = await send("PUT", `${name}/manifests/${digest}?tag=strong`, { headers, body: content });
    const pulled = await send("GET", `${name}/manifests/strong`);

    expect([pushed.status, pushed.headers.get("oci-tag")]).toEqual([201, "strong"]);
    expect(pulled.headers.get("docker-content-digest")).toBe(digest);
  });

  test("change and go only where the request's conditions hold", async ({ send, pushImage }) => {
    const one = await pushImage(name, "latest", { layer: "one" });
    const two = await pushImage(name, undefined, { layer: "two" });
    const path = `${name}/manifests/latest`;
    const put = (headers: Record<string, string>, body = two.content) =>
      send("PUT", path, { headers: { ...manifestHeaders, ...headers }, body });
    const drop = (headers: Record<string, string>, reference = "latest") =>
      send("DELETE", `${name}/manifests/${reference}`, { headers });

    expect(await errorOf(await put({ "if-none-match": "*" }))).toBe("412 PRECONDITION_FAILED");
    expect(await errorOf(await put({ "if-match": `"${two.digest}"` }))).toBe("412 PRECONDITION_FAILED");
    expect(await errorOf(await put({ "if-match": `W/"${one.digest}"` }))).toBe("412 PRECONDITION_FAILED");
    expect((await put({ "if-match": `"x", "${one.digest}"` })).status).toBe(201);
    expect(await errorOf(await drop({ "if-match": `"${one.digest}"` }))).toBe("412 PRECONDITION_FAILED");
    expect(await errorOf(await drop({ "if-match": '"x"' }, one.digest))).toBe("412 PRECONDITION_FAILED");
    expect((await drop({ "if-match": `"${two.digest}"` })).status).toBe(202);
    expect(await errorOf(await put({ "if-match": "*" }))).toBe("412 PRECONDITION_FAILED");
    expect((await put({ "if-none-match": "*" })).status).toBe(201);
  });

  test("have so many layers, and indexes so many images, as the registry takes", async ({
    send,
    pushBlob,
    registry,
  }) => {
    const { maxManifestLayers } = registry.settings;
    const digest = await pushBlob(name, "{}");
    const part = { mediaType: "application/x", digest, size: 2 };
    const parts = (count: number) => Array.from({ length: count }, () => part);
    const image = { schemaVersion: 2, mediaType: ociManifestType, config: part };
    const put = async (body: { readonly mediaType: string; readonly [member: string]: unknown }) => {
      const headers = { "content-type": body.mediaType };
      return send("PUT", `${name}/manifests/latest`, { headers, body: JSON.stringify(body) });
    };

    expect((await put({ ...image, layers: parts(maxManifestLayers) })).status).toBe(201);
    expect(await errorOf(await put({ ...image, layers: parts(maxManifestLayers + 1) }))).toBe("400 MANIFEST_INVALID");
    const index = { schemaVersion: 2, mediaType: ociIndexType, manifests: parts(maxManifestLayers + 1) };
    const refused = await put(index);
    expect(await refused.json()).toMatchObject({
      errors: [
        {
          code: "MANIFEST_INVALID",
          message: `manifests: expected at most ${maxManifestLayers}, found ${maxManifestLayers + 1}`,
        },
      ],
    });
  });

  test("cannot be deleted while an index needs them, and come back with it", async ({ send, pushImage }) => {
    const { digest, content } = await pushImage(name, undefined);
    const manifests = [{ mediaType: ociManifestType, digest, size: content.length }];
    const body = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
    const index = `${name}/manifests/${digestOf(body)}`;
    const tagIndex = (tag: string) =>
      send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociIndexType }, body });
    const status = async (method: string, path: string) => (await send(method, path)).status;
    await tagIndex("one");
    await pushImage(name, "part");

    const refused = await send("DELETE", `${name}/manifests/${digest}`);
    expect([refused.status, await refused.json()]).toMatchObject([
      405,
      { errors: [{ code: "UNSUPPORTED", detail: { index: digestOf(body) } }] },
    ]);
    expect(await status("GET", `${name}/manifests/part`)).toBe(200); // a refusal changes nothing
    expect(await status("DELETE", `${name}/manifests/part`)).toBe(202);
    expect(await errorOf(await send("DELETE", `${name}/manifests/${digest}`))).toBe("405 UNSUPPORTED");
    expect(await status("GET", `${name}/manifests/${digest}`)).toBe(200);
    expect([await status("DELETE", index), await status("DELETE", `${name}/manifests/${digest}`)]).toEqual([202, 202]);
    for (const reference of ["two", digestOf(body)]) {
      await status("DELETE", index);
      await status("DELETE", `${name}/manifests/${digest}`);
      expect((await tagIndex(reference)).status).toBe(201);
      expect([reference, await status("GET", `${name}/manifests/${digest}`)]).toEqual([reference, 200]);
    }
  });

  test("are gone for clients when they are deleted, until they are pushed again", async ({ send, pushImage }) => {
    const { digest } = await pushImage(name, "one");
    await pushImage(name, "two");
    const status = async (reference: string) => (await send("GET", `${name}/manifests/${reference}`)).status;

    expect((await send("DELETE", `${name}/manifests/one`)).status).toBe(202);
    expect([await status("one"), await status("two"), await status(digest)]).toEqual([404, 200, 200]);
    expect((await send("DELETE", `${name}/manifests/${digest}`)).status).toBe(202);
    expect([await status("two"), await status(digest)]).toEqual([404, 404]);

    expect(await errorOf(await send("DELETE", `${name}/manifests/${digest}`))).toBe("404 MANIFEST_UNKNOWN");
    expect(await errorOf(await send("DELETE", `${name}/manifests/one`))).toBe("404 MANIFEST_UNKNOWN");
    await pushImage(name, undefined);
    expect(await status(digest)).toBe(200);
  });

  test("bring their labels, which may say when their tags end", async ({ store, pushImage, registry }) => {
    await pushImage(name, "latest", {
      labels: { maintainer: "alice", data: "[1]", "quay.expires-after": "2h" },
      manifest: { annotations: { maintainer: "bob" } },
    });
    await pushImage(name, "odd", { layer: "b", labels: { "quay.expires-after": "soon" } });

    const labels = await store.db
      .selectFrom("manifest_label")
      .select(["key", "value", "source_type", "media_type"])
      .orderBy("key")
      .orderBy("value")
      .execute();
    const tags = await store.db.selectFrom("tag").select(["name", "end_at"]).orderBy("name").execute();

    const label = (key: string, value: string, media_type = "text/plain") => ({
      key,
      value,
      source_type: "manifest",
      media_type,
    });
    expect(labels).toEqual([
      label("data", "[1]", "application/json"),
      label("maintainer", "bob"),
      label("quay.expires-after", "2h"),
      label("quay.expires-after", "soon"),
    ]);
    expect(tags).toEqual([
      { name: "latest", end_at: registry.time.now + 7_200_000 },
      { name: "odd", end_at: null },
    ]);
  });

  test("refuses more labels than the limit, and drops those that a database cannot store", async ({
    pushImage,
    store,
  }) => {
    const annotations = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`a${index}`, ""]));
    const push = (manifest: object) => pushImage(name, "labelled", { manifest: { ...manifest } }).then(() => "taken");
    const refusal = (manifest: object) => push(manifest).catch(({ message }: Error) => message);

    expect(await refusal({ annotations })).toMatch(/^400: .*expected at most 1000 labels/);
    expect(await refusal({ artifactType: "a\0b" })).toMatch(/^400: .*MANIFEST_INVALID/);
    expect(await push({ annotations: { good: "yes", "b\0d": "no", bad: "n\0" } })).toBe("taken");
    const labels = await store.db.selectFrom("manifest_label").select(["key", "value"]).execute();
    expect(labels).toEqual([{ key: "good", value: "yes" }]);
  });
});
