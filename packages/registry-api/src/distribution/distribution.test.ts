import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";

const name = "alice/images";
const manifestHeaders = { "content-type": ociManifestType };

async function errorOf(response: Response): Promise<string> {
  const { errors } = (await response.json()) as { errors: { code: string }[] };
  return `${response.status} ${errors[0]?.code}`;
}

function headersOf(response: Response, ...names: readonly string[]): readonly (string | null)[] {
  return names.map((each) => response.headers.get(each));
}

async function begin({ send }: TestDistribution): Promise<string> {
  const response = await send("POST", `${name}/blobs/uploads/`);
  return response.headers.get("location") ?? "";
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))("/v2 on $title", ({ engine }) => {
  const test = (title: string, run: (world: TestDistribution) => Promise<void>) =>
    it.skipIf(engine.skip !== undefined)(title, async () => {
      await using world = await openTestDistribution({ engine: engine as TestEngine });
      await run(world);
    });

  describe("ping", () => {
    test("greets those who are known and tells others how to show who they are", async ({ send }) => {
      const known = await send("GET", "/v2/");
      const unknown = await send("GET", "/v2/", { as: "" });

      expect([known.status, await known.json()]).toEqual([200, {}]);
      expect(headersOf(known, "docker-distribution-api-version")).toEqual(["registry/2.0"]);
      expect(headersOf(unknown, "www-authenticate")).toEqual(['Bearer realm="test",service="test"']);
      expect(await errorOf(unknown)).toBe("401 UNAUTHORIZED");
    });
  });

  describe("blobs", () => {
    test("are given back whole", async ({ send, pushBlob }) => {
      const digest = await pushBlob(name, "what it holds");

      const head = await send("HEAD", `${name}/blobs/${digest}`);
      const get = await send("GET", `${name}/blobs/${digest}`);

      for (const response of [head, get]) {
        expect(response.status).toBe(200);
        expect(headersOf(response, "docker-content-digest", "content-length", "content-type", "accept-ranges")).toEqual(
          [digest, "13", "application/octet-stream", "bytes"],
        );
        expect(response.headers.get("cache-control")).toContain("max-age=31536000");
      }
      expect([await head.text(), await get.text()]).toEqual(["", "what it holds"]);
    });

    test("are not sent to whoever has them", async ({ send, pushBlob }) => {
      const digest = await pushBlob(name, "what it holds");

      const response = await send("GET", `${name}/blobs/${digest}`, { headers: { "if-none-match": `"${digest}"` } });

      expect(response.status).toBe(304);
    });

    test("are given in parts", async ({ send, pushBlob }) => {
      const digest = await pushBlob(name, "0123456789");
      const rows = [
        ["bytes=2-4", 206, "234", "bytes 2-4/10"],
        ["bytes=5-", 206, "56789", "bytes 5-9/10"],
        ["bytes=-3", 206, "789", "bytes 7-9/10"],
        ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
        ["bytes=8-30", 206, "89", "bytes 8-9/10"],
        ["bytes=10-12", 416, "", "bytes */10"],
        ["bytes=5-3", 416, "", "bytes */10"],
        ["bytes=-0", 416, "", "bytes */10"],
        ["bytes=0-1,4-5", 200, "0123456789", null],
        ["lines=1-2", 200, "0123456789", null],
      ] as const;

      for (const [range, status, text, contentRange] of rows) {
        const response = await send("GET", `${name}/blobs/${digest}`, { headers: { range } });
        expect([range, response.status, await response.text(), response.headers.get("content-range")]).toEqual([
          range,
          status,
          text,
          contentRange,
        ]);
      }
    });

    test("are unknown where they are not linked, or are none", async ({ send, pushBlob }) => {
      const digest = await pushBlob(name, "content");
      await pushBlob("alice/other", "something else");

      expect(await errorOf(await send("GET", `alice/other/blobs/${digest}`))).toBe("404 BLOB_UNKNOWN");
      expect(await errorOf(await send("GET", `${name}/blobs/sha256:baddigeststring`))).toBe("400 DIGEST_INVALID");
      expect((await send("HEAD", `${name}/blobs/${digestOf("other")}`)).status).toBe(404);
    });

    test("can be deleted unless a manifest needs them", async ({ send, pushBlob, pushImage }) => {
      const digest = await pushBlob(name, "content");
      const { layer } = await pushImage(name, "latest");

      expect((await send("DELETE", `${name}/blobs/${digest}`)).status).toBe(202);
      expect((await send("HEAD", `${name}/blobs/${digest}`)).status).toBe(404);
      expect(await errorOf(await send("DELETE", `${name}/blobs/${layer}`))).toBe("405 UNSUPPORTED");
    });
  });

  describe("uploads", () => {
    test("take a blob in a POST and a PUT, by either algorithm", async ({ send, ...world }) => {
      for (const algorithm of ["sha256", "sha512"] as const) {
        const digest = digestOf("content", algorithm);
        const location = await begin({ send, ...world });

        const put = await send("PUT", `${location}?digest=${digest}`, { body: "content" });

        expect(put.status).toBe(201);
        expect(headersOf(put, "location", "docker-content-digest")).toEqual([`/v2/${name}/blobs/${digest}`, digest]);
        expect(await (await send("GET", `${name}/blobs/${digest}`)).text()).toBe("content");
      }
    });

    test("take a blob in one POST, by either algorithm", async ({ send }) => {
      for (const algorithm of ["sha256", "sha512"] as const) {
        const digest = digestOf("content", algorithm);

        const post = await send("POST", `${name}/blobs/uploads/?digest=${digest}`, { body: "content" });

        expect([post.status, post.headers.get("location")]).toEqual([201, `/v2/${name}/blobs/${digest}`]);
        expect((await send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
      }
    });

    test("take a blob without bytes", async ({ send, ...world }) => {
      const location = await begin({ send, ...world });

      const put = await send("PUT", `${location}?digest=${digestOf("")}`);

      expect(put.status).toBe(201);
      expect(await (await send("GET", `${name}/blobs/${digestOf("")}`)).text()).toBe("");
    });

    test("take a stream of unknown length", async ({ send, ...world }) => {
      const location = await begin({ send, ...world });

      const patch = await send("PATCH", location, { body: new Blob(["cont", "ent"]).stream() });
      const put = await send("PUT", `${location}?digest=${digestOf("content")}`);

      expect([patch.status, patch.headers.get("range"), patch.headers.get("location")]).toEqual([202, "0-6", location]);
      expect(put.status).toBe(201);
    });

    test("take chunks in their order, the last with the PUT", async ({ send, ...world }) => {
      const location = await begin({ send, ...world });
      const chunk = (range: string, body: string) =>
        send("PATCH", location, { headers: { "content-range": range }, body });

      expect((await chunk("0-3", "0123")).headers.get("range")).toBe("0-3");
      const ahead = await chunk("6-7", "67");
      const back = await chunk("0-3", "0123");
      const status = await send("GET", location);
      await chunk("4-5", "45");
      const headers = { "content-range": "6-9" };
      const put = await send("PUT", `${location}?digest=${digestOf("0123456789")}`, { headers, body: "6789" });

      for (const refused of [ahead, back]) {
        expect(headersOf(refused, "location", "range")).toEqual([location, "0-3"]);
        expect(await errorOf(refused)).toBe("416 RANGE_INVALID");
      }
      expect([status.status, ...headersOf(status, "location", "range")]).toEqual([204, location, "0-3"]);
      expect(put.status).toBe(201);
      expect(await (await send("GET", `${name}/blobs/${digestOf("0123456789")}`)).text()).toBe("0123456789");
    });

    test("refuse what is no chunk", async ({ send, ...world }) => {
      const location = await begin({ send, ...world });
      const patch = (range: string) => send("PATCH", location, { headers: { "content-range": range }, body: "0123" });

      expect(await errorOf(await patch("a-b"))).toBe("400 INVALID_REQUEST");
      expect(await errorOf(await patch("3-0"))).toBe("400 INVALID_REQUEST");
      expect(await errorOf(await patch("0-7"))).toBe("400 SIZE_INVALID");
      expect((await send("GET", location)).headers.get("range")).toBe("0-0");
    });

    test("refuse what is not what its digest says, and end", async ({ send, ...world }) => {
      const location = await begin({ send, ...world });

      expect(await errorOf(await send("PUT", location, { body: "content" }))).toBe("400 DIGEST_INVALID");
      expect(await errorOf(await send("PUT", `${location}?digest=sha256:12`))).toBe("400 DIGEST_INVALID");
      const put = await send("PUT", `${location}?digest=${digestOf("other")}`, { body: "content" });

      expect(await errorOf(put)).toBe("400 DIGEST_INVALID");
      expect(await errorOf(await send("GET", location))).toBe("404 BLOB_UPLOAD_UNKNOWN");
      expect((await send("HEAD", `${name}/blobs/${digestOf("other")}`)).status).toBe(404);
    });

    test("can be cancelled", async ({ send, blobs, ...world }) => {
      const location = await begin({ send, blobs, ...world });
      await send("PATCH", location, { body: "content" });

      expect((await send("DELETE", location)).status).toBe(204);

      expect(await errorOf(await send("PATCH", location, { body: "more" }))).toBe("404 BLOB_UPLOAD_UNKNOWN");
      expect(await blobs.countReceived(location.split("/").at(-1) ?? "")).toBe(0);
    });

    test("belong to their repository", async ({ send, pushBlob, ...world }) => {
      const location = await begin({ send, pushBlob, ...world });
      await pushBlob("alice/other", "content");

      const elsewhere = location.replace("images", "other");

      expect(await errorOf(await send("GET", elsewhere))).toBe("404 BLOB_UPLOAD_UNKNOWN");
    });

    test("are not needed for what another repository has, if the caller may read it", async ({
      send,
      pushBlob,
      registry,
    }) => {
      const digest = await pushBlob("alice/source", "content");
      await registry.user("bob");
      const mount = (query: string, as = "alice", to = name) => send("POST", `${to}/blobs/uploads/?${query}`, { as });

      const mounted = await mount(`mount=${digest}&from=alice/source`);
      const rows = [
        await mount(`mount=${digestOf("missing")}&from=alice/source`),
        await mount(`mount=${digest}`),
        await mount(`mount=${digest}&from=alice/missing`),
        await mount(`mount=${digest}&from=alice/source`, "bob", "bob/images"),
      ];

      expect([mounted.status, mounted.headers.get("location")]).toEqual([201, `/v2/${name}/blobs/${digest}`]);
      expect((await send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
      expect(rows.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    });

    test("of the same blob by two at once make one blob", async ({ send, store, ...world }) => {
      const content = "x".repeat(300_000);
      const locations = await Promise.all(Array.from({ length: 4 }, () => begin({ send, store, ...world })));

      const puts = await Promise.all(
        locations.map((location) => send("PUT", `${location}?digest=${digestOf(content)}`, { body: content })),
      );

      expect(puts.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(await store.db.selectFrom("blob").select("digest").execute()).toEqual([{ digest: digestOf(content) }]);
      expect(await store.db.selectFrom("upload").select("id").execute()).toEqual([]);
    });
  });

  describe("manifests", () => {
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

    test("are logged, by whoever pushes and pulls", async ({ send, pushImage, registry }) => {
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
      expect(await put({ schemaVersion: 2, manifests: [part(layer, 5)] }, type(ociIndexType))).toBe(
        "400 MANIFEST_BLOB_UNKNOWN",
      );
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

    test("may be as large as four megabytes", async ({ send, pushImage }) => {
      const annotations = Object.fromEntries(
        Array.from({ length: 390 }, (_, index) => [`org.example.${index}`, "x".repeat(10_000)]),
      );

      const { digest, content } = await pushImage(name, "latest", { manifest: { annotations } });

      expect(digestOf(await (await send("GET", `${name}/manifests/${digest}`)).text())).toBe(digestOf(content));
    });

    test("need no layers that are distributed elsewhere, but every manifest of an index", async ({
      send,
      pushImage,
    }) => {
      const foreign = {
        mediaType: "application/vnd.oci.image.layer.nondistributable.v1.tar",
        digest: digestOf("elsewhere"),
        size: 9,
        urls: ["https://example.com/layer"],
      };
      const { digest, content } = await pushImage(name, undefined, { manifest: { layers: [foreign] } });
      const index = JSON.stringify({
        schemaVersion: 2,
        mediaType: ociIndexType,
        manifests: [{ mediaType: ociManifestType, digest, size: content.length }],
      });
      const nested = JSON.stringify({
        schemaVersion: 2,
        manifests: [{ mediaType: ociIndexType, digest: digestOf(index), size: index.length }],
      });
      const empty = JSON.stringify({ schemaVersion: 2, manifests: [] });

      for (const [tag, body] of [
        ["index", index],
        ["nested", nested],
        ["empty", empty],
      ] as const) {
        const put = await send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociIndexType }, body });
        expect([tag, put.status]).toEqual([tag, 201]);
        const get = await send("GET", `${name}/manifests/${tag}`);
        expect([await get.text(), get.headers.get("content-type")]).toEqual([body, ociIndexType]);
      }
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
  });

  describe("lists", () => {
    test("tags in the order of their bytes, page by page", async ({ send, pushImage }) => {
      for (const tag of ["b", "a", "C", "_d", "a-1"]) await pushImage(name, tag);
      await send("DELETE", `${name}/manifests/b`);
      const list = async (query: string) => {
        const response = await send("GET", `${name}/tags/list${query}`);
        return [await response.json(), response.headers.get("link")];
      };

      expect(await list("")).toEqual([{ name, tags: ["C", "_d", "a", "a-1"] }, null]);
      const next = `</v2/${name}/tags/list?n=2&last=_d>; rel="next"`;
      expect(await list("?n=2")).toEqual([{ name, tags: ["C", "_d"] }, next]);
      expect(await list("?n=2&last=_d")).toEqual([{ name, tags: ["a", "a-1"] }, null]);
      expect(await list("?last=a")).toEqual([{ name, tags: ["a-1"] }, null]);
      expect(await list("?n=0")).toEqual([{ name, tags: [] }, null]);
      expect(await errorOf(await send("GET", `${name}/tags/list?n=x`))).toBe("400 INVALID_REQUEST");
    });

    test("repositories that the caller has a role on", async ({ send, pushBlob, registry }) => {
      for (const each of ["alice/b", "alice/a/c"]) await pushBlob(each, "x");
      await registry.user("bob");
      await send("POST", "bob/own/blobs/uploads/", { as: "bob" });
      await registry.user("root");
      const list = async (as: string, query = "") => {
        const response = await send("GET", `/v2/_catalog${query}`, { as });
        return [((await response.json()) as { repositories: unknown }).repositories, response.headers.get("link")];
      };

      expect(await list("alice")).toEqual([["alice/a/c", "alice/b"], null]);
      expect(await list("alice", "?n=1")).toEqual([["alice/a/c"], '</v2/_catalog?n=1&last=alice%2Fa%2Fc>; rel="next"']);
      expect(await list("alice", "?n=1&last=alice%2Fa%2Fc")).toEqual([["alice/b"], null]);
      expect(await list("bob")).toEqual([["bob/own"], null]);
      expect(await list("")).toEqual([[], null]);
    });

    test("referrers with their types, filtered, page by page", async ({ send, pushImage }) => {
      const subject = await pushImage(name, "latest");
      const descriptor = { mediaType: ociManifestType, digest: subject.digest, size: subject.content.length };
      const refer = (layer: string, manifest: Record<string, unknown>) =>
        pushImage(name, undefined, { layer, manifest: { subject: descriptor, ...manifest } });
      const signature = await refer("a", { artifactType: "application/x.sig", annotations: { by: "alice" } });
      const plain = await refer("b", {});
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests: [], subject: descriptor });
      const headers = { "content-type": ociIndexType };
      const put = await send("PUT", `${name}/manifests/${digestOf(index)}`, { headers, body: index });
      const list = async (query = "", digest = subject.digest) => {
        const response = await send("GET", `${name}/referrers/${digest}${query}`);
        const { manifests, ...rest } = (await response.json()) as { manifests: { digest: string }[] };
        return { response, manifests, rest };
      };

      expect(put.headers.get("oci-subject")).toBe(subject.digest);
      const all = await list();
      expect(all.response.headers.get("content-type")).toBe(ociIndexType);
      expect(all.rest).toEqual({ schemaVersion: 2, mediaType: ociIndexType });
      expect(all.manifests).toEqual(
        [
          {
            mediaType: ociManifestType,
            digest: signature.digest,
            size: signature.content.length,
            artifactType: "application/x.sig",
            annotations: { by: "alice" },
          },
          {
            mediaType: ociManifestType,
            digest: plain.digest,
            size: plain.content.length,
            artifactType: "application/vnd.oci.image.config.v1+json",
          },
          { mediaType: ociIndexType, digest: digestOf(index), size: index.length },
        ].sort((one, other) => (one.digest < other.digest ? -1 : 1)),
      );
      const filtered = await list("?artifactType=application/x.sig");
      expect(filtered.response.headers.get("oci-filters-applied")).toBe("artifactType");
      expect(filtered.manifests.map(({ digest }) => digest)).toEqual([signature.digest]);
      const first = await list("?n=1");
      const second = await send("GET", /<(.*)>/.exec(first.response.headers.get("link") ?? "")?.[1] ?? "");
      expect(((await second.json()) as typeof first).manifests).toEqual([all.manifests[1]]);

      await send("DELETE", `${name}/manifests/${signature.digest}`);
      expect((await list()).manifests).toHaveLength(2);
      expect((await list("", digestOf("nothing"))).manifests).toEqual([]);
    });

    test("referrers that a client lists under the fallback tag", async ({ send, pushImage }) => {
      const subject = await pushImage(name, "latest");
      const { digest, content } = await pushImage(name, undefined, { layer: "signature" });
      const manifests = [{ mediaType: ociManifestType, digest, size: content.length }];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      const tag = subject.digest.replace(":", "-");
      await send("PUT", `${name}/manifests/${tag}`, { headers: { "content-type": ociIndexType }, body: index });

      const response = await send("GET", `${name}/referrers/${subject.digest}`);

      expect(((await response.json()) as { manifests: unknown[] }).manifests).toMatchObject([{ digest }]);
    });
  });

  describe("paths and callers", () => {
    test("are refused where they are not of the protocol", async ({ send }) => {
      expect(await errorOf(await send("GET", "/v2/alice/images"))).toBe("404 NAME_UNKNOWN");
      expect(await errorOf(await send("GET", "/v2/Alice/Images/tags/list"))).toBe("400 NAME_INVALID");
      expect(await errorOf(await send("GET", "/v2/alice/a%2fb/tags/list"))).toBe("404 NAME_UNKNOWN");
      expect((await send("GET", "/v2/alice/%zz/tags/list")).status).toBe(400);
      expect(await errorOf(await send("GET", `/v2/alice/${"a".repeat(300)}/tags/list`))).toBe("400 NAME_INVALID");
      expect(await errorOf(await send("GET", "/v2/alice/new/tags/list"))).toBe("404 NAME_UNKNOWN");
      const wrong = await send("PATCH", "/v2/alice/images/tags/list");
      expect(wrong.headers.get("allow")).toBe("GET");
      expect(await errorOf(wrong)).toBe("405 UNSUPPORTED");
    });

    test("see what they may and are told what they would have to show", async ({
      send,
      pushImage,
      store,
      registry,
    }) => {
      await pushImage(name, "latest");
      await registry.user("bob");
      const get = (as: string) => send("GET", `${name}/manifests/latest`, { as });
      const push = (as: string) => send("POST", `${name}/blobs/uploads/`, { as });

      const stranger = await get("bob");
      expect(headersOf(stranger, "www-authenticate")).toEqual([
        `Bearer realm="test",service="test",scope="repository:${name}:pull"`,
      ]);
      expect(await errorOf(stranger)).toBe("401 UNAUTHORIZED");
      expect((await get("")).status).toBe(401);
      expect((await push("bob")).headers.get("www-authenticate")).toContain(`repository:${name}:pull,push`);
      expect((await send("POST", "alice/new/blobs/uploads/", { as: "bob" })).status).toBe(401);
      expect((await send("POST", "nobody/new/blobs/uploads/")).status).toBe(401);
      await store.db.updateTable("image_repository").set({ visibility: "public" }).execute();
      expect([(await get("bob")).status, (await get("")).status, (await push("bob")).status]).toEqual([200, 200, 401]);
    });

    test("are held to what their token is for", async ({ send, pushImage }) => {
      await pushImage(name, "latest");
      const as = `alice ${name} pull`;

      expect((await send("GET", `${name}/manifests/latest`, { as })).status).toBe(200);
      expect((await send("POST", `${name}/blobs/uploads/`, { as })).status).toBe(401);
      expect((await send("POST", "alice/other/blobs/uploads/", { as })).status).toBe(401);
    });

    test("push nothing to what is read-only or a mirror", async ({ send, pushImage, store }) => {
      await pushImage(name, "latest");

      for (const state of ["READ_ONLY", "MIRROR"] as const) {
        await store.db.updateTable("image_repository").set({ state }).execute();
        expect((await send("POST", `${name}/blobs/uploads/`)).status).toBe(401);
        expect((await send("DELETE", `${name}/manifests/latest`)).status).toBe(401);
        expect((await send("GET", `${name}/manifests/latest`)).status).toBe(200);
      }
    });
  });
});
