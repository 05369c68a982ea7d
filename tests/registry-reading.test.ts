/** Layers that are read while they are pushed, however they come: their images are scanned as soon as the manifest is put. */
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { buildTar, digestOf as computeDigest } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { dpkgStatus } from "./support/sample-image.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const timeout = 60_000;
const mediaType = "application/vnd.oci.image.manifest.v1+json";
const emptyConfig = Buffer.from("{}");

let folder: TempFolder;
let registry: RegistryProcess;

beforeAll(async () => {
  folder = tempFolder();
  // Two layers are read at a time.
  registry = await startRegistry(folder.path, { scanPatienceSeconds: "10", layerThreads: "4" });
}, timeout);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const authorization = (at = registry) => `Basic ${btoa(`$oauthtoken:${at.token}`)}`;

const ask = (path: string, init: RequestInit = {}, at = registry) =>
  fetch(new URL(path, at.process.url), {
    ...init,
    headers: { authorization: authorization(at), ...(init.headers as object) },
  });

const digests = new WeakMap<Uint8Array, string>();

/** Layers are large: the digest of each is computed once. */
function digestOf(bytes: Uint8Array): string {
  const digest = digests.get(bytes) ?? computeDigest(bytes);
  digests.set(bytes, digest);
  return digest;
}

/** A layer larger than the 8 MB that may wait for its reader; what is found in it stands at its end. */
function layerWith(name: string): Buffer {
  const large = { name: "large", content: Buffer.alloc(12 * 1024 ** 2, name) };
  const release = { name: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\n' };
  const tar = buildTar(large, release, { name: "var/lib/dpkg/status", content: dpkgStatus(`${name} 1`) });
  return gzipSync(tar, { level: 0 });
}

async function begin(repository: string): Promise<string> {
  return (await ask(`/v2/alice/${repository}/blobs/uploads/`, { method: "POST" })).headers.get("location") ?? "";
}

async function send(upload: string, bytes: Uint8Array, from = 0): Promise<void> {
  const headers = { "content-range": `${from}-${from + bytes.length - 1}` };
  expect((await ask(upload, { method: "PATCH", headers, body: bytes as Uint8Array<ArrayBuffer> })).status).toBe(202);
}

async function complete(upload: string, layer: Uint8Array, rest?: Uint8Array): Promise<void> {
  const body = rest === undefined ? {} : { body: rest as Uint8Array<ArrayBuffer> };
  expect((await ask(`${upload}?digest=${digestOf(layer)}`, { method: "PUT", ...body })).status).toBe(201);
}

async function sendAll(repository: string, bytes: Uint8Array, at = registry): Promise<void> {
  const path = `/v2/alice/${repository}/blobs/uploads/?digest=${digestOf(bytes)}`;
  expect((await ask(path, { method: "POST", body: bytes as Uint8Array<ArrayBuffer> }, at)).status).toBe(201);
}

/** Sends the beginning of a body, and goes. */
async function breakOff(upload: string, bytes: Uint8Array): Promise<void> {
  const headers = { authorization: authorization() };
  const sending = request(new URL(upload, registry.process.url), { method: "PATCH", headers });
  const closed = Promise.withResolvers<void>();
  sending.on("error", () => {}).on("close", closed.resolve);
  sending.write(bytes, () => sending.destroy());
  await closed.promise;
}

async function receivedOf(upload: string): Promise<number> {
  return Number((await ask(upload)).headers.get("range")?.split("-")[1]) + 1;
}

/** The manifest of an image of one layer, whose configuration is empty. */
function manifestOf(layer: Uint8Array): string {
  const described = (mediaType: string, bytes: Uint8Array) => ({
    mediaType: `application/vnd.oci.image.${mediaType}`,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const config = described("config.v1+json", emptyConfig);
  return JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [described("layer.v1.tar+gzip", layer)] });
}

async function putManifest(repository: string, layer: Uint8Array, at = registry): Promise<void> {
  await sendAll(repository, emptyConfig, at);
  const headers = { "content-type": mediaType };
  const path = `/v2/alice/${repository}/manifests/1`;
  expect((await ask(path, { method: "PUT", headers, body: manifestOf(layer) }, at)).status).toBe(201);
}

function securityOf(repository: string, layer: Uint8Array, at = registry): Promise<unknown> {
  const digest = digestOf(Buffer.from(manifestOf(layer)));
  return at.call("GET", `/repository/alice/${repository}/manifest/${digest}/security?vulnerabilities=true`);
}

const found = (name: string) => ({
  status: "scanned",
  data: { Layer: { Features: [expect.objectContaining({ Name: name, Version: "1" })] } },
});

type Push = (repository: string, layer: Uint8Array) => Promise<void>;

const ways: readonly (readonly [string, Push])[] = [
  ["in one request", sendAll],
  [
    "as a stream",
    async (repository, layer) => {
      const upload = await begin(repository);
      await send(upload, layer);
      await complete(upload, layer);
    },
  ],
  [
    "in pieces",
    async (repository, layer) => {
      const upload = await begin(repository);
      for (let at = 0; at < layer.length; at += 5_000_000) await send(upload, layer.subarray(at, at + 5_000_000), at);
      await complete(upload, layer);
    },
  ],
  [
    "the last of them with the digest",
    async (repository, layer) => {
      const upload = await begin(repository);
      await send(upload, layer.subarray(0, 10_000_000));
      await complete(upload, layer, layer.subarray(10_000_000));
    },
  ],
  [
    "after a client has gone",
    async (repository, layer) => {
      const upload = await begin(repository);
      await breakOff(upload, layer.subarray(0, 3_000_000));
      await expect.poll(() => receivedOf(upload)).toBeGreaterThan(1);
      const from = await receivedOf(upload);
      await send(upload, layer.subarray(from), from);
      await complete(upload, layer);
    },
  ],
  [
    "after it was refused for another digest",
    async (repository, layer) => {
      const upload = await begin(repository);
      await send(upload, layer.subarray(0, 100));
      expect((await ask(`${upload}?digest=${digestOf(layer)}`, { method: "PUT" })).status).toBe(400);
      await sendAll(repository, layer);
    },
  ],
  [
    "as many at once",
    async (repository, layer) => {
      const others = Array.from({ length: 8 }, (_, number) => layerWith(`other-${number}`));
      await Promise.all([...others, layer].map((each) => sendAll(repository, each)));
    },
  ],
];

describe("a registry", { timeout }, () => {
  it.each(ways)("scans an image whose layer comes %s", async (way, push) => {
    const name = way.replaceAll(" ", "-");
    const layer = layerWith(name);

    await push(name, layer);
    await putManifest(name, layer);

    expect(await securityOf(name, layer)).toMatchObject(found(name));
  });

  it("scans an image whose layer comes from another repository", async () => {
    const layer = layerWith("mounted");
    await sendAll("first", layer);

    const mount = `/v2/alice/second/blobs/uploads/?mount=${digestOf(layer)}&from=alice/first`;
    expect((await ask(mount, { method: "POST" })).status).toBe(201);
    await putManifest("second", layer);

    expect(await securityOf("second", layer)).toMatchObject(found("mounted"));
  });

  it("scans an image although clients do not go on with uploads that were begun before", async () => {
    const [layer, rest] = [layerWith("after-others"), layerWith("others").subarray(0, 3_000_000)];
    const resting = await Promise.all(["resting", "resting-too"].map(begin));
    for (const upload of resting) await send(upload, rest);

    await sendAll("after-others", layer);
    await putManifest("after-others", layer);

    expect(await securityOf("after-others", layer)).toMatchObject(found("after-others"));
  });

  it("stops while it reads uploads whose clients do not go on", async () => {
    const uploads = await Promise.all(["a", "b", "c"].map(begin));
    for (const upload of uploads) await send(upload, layerWith("stopped").subarray(0, 5_000_000));

    expect(await registry.process.stop()).toBe(0);
    await registry.process.restart();
    await registry.process.listening();
  });

  it("scans an image later that it was killed over", async () => {
    using killed = tempFolder();
    await using at = await startRegistry(killed.path, { scanPatienceSeconds: "2", indexLeaseSeconds: "2" });
    const layer = layerWith("killed");
    await sendAll("killed", layer, at);
    const isPut = async () => (await ask("/v2/alice/killed/manifests/1", {}, at)).status;

    const put = putManifest("killed", layer, at).catch(() => {});
    await expect.poll(isPut, { interval: 1, timeout }).toBe(200);
    await at.process.restart();
    await Promise.all([put, at.process.listening()]);

    await expect.poll(() => securityOf("killed", layer, at), { timeout }).toMatchObject(found("killed"));
  });
});
