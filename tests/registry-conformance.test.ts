/**
 * What the conformance program of the distribution specification checks, in a process of its own with real tokens, by every transport.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md
 */
import {
  fullTestArrivals,
  loopbackCertificate,
  openTransportClient,
  type TransportClient,
  transportsOf,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushWays } from "../packages/registry-api/src/distribution/fixtures/blob-pushes.ts";
import { contentShapes, startContent } from "../packages/registry-api/src/distribution/fixtures/pushed-content.ts";
import { errorOf, headersOf } from "../packages/registry-api/src/fixtures/each-engine.ts";
import {
  digestOf,
  ociManifestType,
  type TestDistribution,
} from "../packages/registry-api/src/fixtures/test-distribution.ts";
import { firstUser } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const patienceMs = 120_000;

describe.each(transportsOf(fullTestArrivals()))("a registry over %s", (transport) => {
  let folder: TempFolder;
  let service: ServiceProcess;
  let client: TransportClient;
  let origin: string;
  /** Registry tokens by scope. */
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    folder = tempFolder();
    client = openTransportClient(transport);
    const { certFile, keyFile } = loopbackCertificate();
    const tls = { tlsCertificate: certFile, tlsKey: keyFile };
    const data = `${folder.path}/data`;
    service = await ServiceProcess.start({ data, offline: "1", ...(client.scheme === "https" && tls) });
    await service.listening();
    origin = `${client.scheme}://${new URL(service.url).host}`;
    const made = await client.fetch(`${origin}/api/v1/user/initialize`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...firstUser, email: "alice@example.com" }),
    });
    expect(made.status).toBe(200);
  }, patienceMs);

  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Asks the address that the challenge names for a token, as clients do. */
  async function tokenFor(challenge: string): Promise<string> {
    const {
      realm = "",
      service: asked = "",
      scope,
    } = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    const query = new URLSearchParams({ service: asked, ...(scope !== undefined && { scope }) });
    const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
    const response = await client.fetch(`${realm}?${query}`, { headers: { authorization } });
    return ((await response.json()) as { readonly token: string }).token;
  }

  /** Sends a request, and once more with a token where the answer asks for one. */
  const send: TestDistribution["send"] = async (method, path, { headers = {}, body } = {}) => {
    const url = `${origin}${path.startsWith("/") ? path : `/v2/${path}`}`;
    const [, repository = ""] =
      /^(?:\/v2\/)?(.*)\/(?:blobs|manifests|tags|referrers)\//.exec(path.split("?")[0] ?? "") ?? [];
    const ask = async (token: string | undefined) =>
      client.fetch(url, {
        method,
        redirect: "manual",
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer>, duplex: "half" }),
      } as RequestInit);
    if (!tokens.has(repository)) {
      const { headers: told } = await client.fetch(`${origin}/v2/${repository}/blobs/uploads/`, { method: "POST" });
      tokens.set(repository, await tokenFor(told.get("www-authenticate") ?? ""));
    }
    return ask(tokens.get(repository));
  };

  describe.each(Object.entries(pushWays))("a blob that is pushed %s", (_, push) => {
    it.each(["sha256", "sha512"] as const)("is there, in parts and as a whole, by %s", async (algorithm) => {
      const bytes = Buffer.from(Array.from({ length: 3067 }, (_, index) => (index * 7919) % 256));
      const digest = digestOf(bytes, algorithm);
      const path = `alice/blobs/blobs/${digest}`;

      const pushed = await push(send, { repository: "alice/blobs", digest, bytes });
      const part = await send("GET", path, { headers: { range: "bytes=10-19" } });
      const whole = await send("GET", pushed.headers.get("location") ?? "");
      const removed = await send("DELETE", path);

      expect([pushed.status, ...headersOf(pushed, "docker-content-digest")]).toEqual([201, digest]);
      expect([part.status, ...headersOf(part, "content-range", "docker-content-digest")]).toEqual([
        206,
        `bytes 10-19/${bytes.length}`,
        digest,
      ]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
      expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
      expect([removed.status, (await send("HEAD", path)).status]).toEqual([202, 404]);
    });
  });

  it("tells a client that mounts to ask for both repositories at once, and mounts then", async () => {
    const digest = digestOf("mounted");
    await send("POST", `alice/source/blobs/uploads/?digest=${digest}`, { body: "mounted" });
    const path = `${origin}/v2/alice/target/blobs/uploads/?mount=${digest}&from=alice/source`;

    const first = await client.fetch(path, { method: "POST" });
    const challenge = first.headers.get("www-authenticate") ?? "";
    const authorization = `Bearer ${await tokenFor(challenge)}`;
    const mounted = await client.fetch(path, { method: "POST", headers: { authorization } });
    const narrow = await send("POST", `alice/other/blobs/uploads/?mount=${digest}&from=alice/source`);

    expect(challenge).toContain('scope="repository:alice/target:pull,push repository:alice/source:pull"');
    expect([first.status, mounted.status, narrow.status]).toEqual([401, 201, 202]);
    expect(narrow.headers.get("location")).toMatch(/^\/v2\/alice\/other\/blobs\/uploads\/./);
  });

  it("takes, lists, finds and deletes content of every shape", { timeout: patienceMs }, async () => {
    for (const [index, build] of Object.values(contentShapes).entries()) {
      const content = startContent();
      build(content);
      const name = `alice/shape-${index}`;
      for (const [digest, body] of content.blobs)
        await send("POST", `${name}/blobs/uploads/?digest=${digest}`, { body });
      for (const { text, shown, subject, tag } of content.manifests) {
        const query = tag === undefined ? "" : `?tag=${tag}&tag=${tag}-again`;
        const headers = { "content-type": shown.mediaType };
        const put = await send("PUT", `${name}/manifests/${shown.digest}${query}`, { headers, body: text });
        const told = headersOf(put, "docker-content-digest", "oci-subject", "oci-tag");
        expect([put.status, ...told]).toEqual([
          201,
          shown.digest,
          subject ?? null,
          tag ? `${tag}, ${tag}-again` : null,
        ]);
        const pulled = await send("GET", `${name}/manifests/${tag ?? shown.digest}`);
        expect([await pulled.text(), pulled.headers.get("content-type")]).toEqual([text, shown.mediaType]);
        const again = await send("GET", `${name}/manifests/${shown.digest}`, {
          headers: { "if-none-match": pulled.headers.get("etag") ?? "" },
        });
        expect(again.status).toBe(304);
        if (subject === undefined) continue;
        const type = encodeURIComponent(shown.artifactType ?? "");
        const referrers = await send("GET", `${name}/referrers/${subject}?artifactType=${type}`);
        expect(JSON.stringify(await referrers.json())).toContain(shown.digest);
        expect(referrers.headers.get("oci-filters-applied")).toBe("artifactType");
      }
      for (const { shown } of content.manifests.toReversed()) {
        expect((await send("DELETE", `${name}/manifests/${shown.digest}`)).status).toBe(202);
        expect((await send("HEAD", `${name}/manifests/${shown.digest}`)).status).toBe(404);
      }
    }
  });

  it("lists tags page by page", async () => {
    const config = { mediaType: "application/vnd.oci.empty.v1+json", digest: digestOf("{}"), size: 2 };
    await send("POST", `alice/tags/blobs/uploads/?digest=${config.digest}`, { body: "{}" });
    const body = JSON.stringify({ schemaVersion: 2, mediaType: ociManifestType, config, layers: [] });
    const headers = { "content-type": ociManifestType };
    for (const tag of ["c", "a", "e", "b", "d"]) await send("PUT", `alice/tags/manifests/${tag}`, { headers, body });

    const pages: unknown[] = [];
    for (let path: string | undefined = "/v2/alice/tags/tags/list?n=2"; path !== undefined; ) {
      const response = await send("GET", path);
      pages.push(((await response.json()) as { readonly tags: unknown }).tags);
      path = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    }

    expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await (await send("GET", "alice/tags/tags/list?last=c")).json()).toMatchObject({ tags: ["d", "e"] });
    expect(await (await send("GET", "alice/tags/tags/list?n=0")).json()).toMatchObject({ tags: [] });
  });

  it.each([
    ["GET", "alice/tags/manifests/missing", "404 MANIFEST_UNKNOWN"],
    ["GET", `alice/tags/blobs/${digestOf("missing")}`, "404 BLOB_UNKNOWN"],
    ["GET", "alice/tags/manifests/sha256:wrong", "400 DIGEST_INVALID"],
    ["PUT", "alice/tags/manifests/latest", "400 MANIFEST_INVALID"],
    ["POST", "alice/tags/blobs/uploads/?digest=sha256:wrong", "400 DIGEST_INVALID"],
    ["PATCH", "alice/tags/blobs/uploads/3e6bf5a5-4dd1-4e24-a3f4-b5dd2a1a3b5d", "404 BLOB_UPLOAD_UNKNOWN"],
    ["DELETE", "alice/tags/manifests/missing", "404 MANIFEST_UNKNOWN"],
  ])("answers %s %s with %s", async (method, path, expected) => {
    const body = method === "PUT" || method === "PATCH" ? { body: "no manifest" } : {};
    const headers = { "content-type": ociManifestType };

    expect(await errorOf(await send(method, path, { headers, ...body }))).toBe(expected);
  });

  it("cancels an upload", async () => {
    const begun = await send("POST", "alice/tags/blobs/uploads/");
    const path = begun.headers.get("location") ?? "";

    expect([(await send("DELETE", path)).status, (await send("GET", path)).status]).toEqual([204, 404]);
  });
});
