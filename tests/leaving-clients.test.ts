/** Clients that leave at every stage of a response or of a body leave nothing behind: no file, no open response, no request in progress. */
import { hash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { gzipSync } from "node:zlib";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { openStore } from "@plimsoll/store";
import { buildImage, buildLayer, digestOf, loopbackCertificate, startS3Server, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { attachSbom } from "./support/attach-sbom.ts";
import { expectAtRest, leave, socketsOf } from "./support/leaving.ts";
import { pushImage } from "./support/push-image.ts";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { reverseProxies } from "./support/reverse-proxies.ts";
import { s3Settings } from "./support/s3-settings.ts";
import { ServiceProcess, type SettingTexts } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const { cert, certFile, keyFile } = loopbackCertificate();
const blob = randomBytes(12 * 1024 * 1024);
const path = `/v2/alice/app/blobs/${digestOf(blob)}`;

/** What is sent on a connection of HTTP/1.1. */
const stages: Readonly<Record<string, (authorization: string) => string>> = {
  "a pull": (authorization) => head("GET", path, authorization),
  "pipelined pulls": (authorization) => head("GET", path, authorization).repeat(4),
  "a page of the console": (authorization) => head("GET", "/", `${authorization}accept: text/html\r\n`).repeat(2),
  "files of the console": (authorization) =>
    ["/", "/repository/alice/app", "/assets/none.js"].map((url) => head("GET", url, authorization)).join(""),
  "usage logs and a report": (authorization) =>
    ["logs", "aggregatelogs", `manifest/${digestOf(blob)}/security?vulnerabilities=true`]
      .map((what) => head("GET", `/api/v1/repository/alice/app/${what}`, asBearer(authorization)))
      .join(""),
  "a list": (authorization) => head("GET", "/v2/_catalog", authorization).repeat(20),
  "a chunk of an upload": (authorization) =>
    head("POST", "/v2/alice/app/blobs/uploads/?digest=sha256:0", `${authorization}${body}`),
  "a body of JSON": () => head("POST", "/api/v1/signin", `content-type: application/json\r\n${body}`),
  "half a request": () => "GET /v2/ HTTP/1.1\r\nhos",
};

/** The same token, as the management API takes it. */
function asBearer(authorization: string): string {
  return authorization.replace(/Basic (\S+)/, (_, basic: string) => `Bearer ${atob(basic).split(":")[1]}`);
}

const body = "content-length: 100000\r\n";

function head(method: string, url: string, more: string): string {
  return `${method} ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}\r\n${more.includes("content-length") ? "{ some" : ""}`;
}

/** After how many bytes clients leave: at once, in the head, and at several places of the body. */
const leavings = [0, 1, 300, 32_769, 200_000, 9_000_000];

async function push({ process: { url }, token }: RegistryProcess): Promise<string> {
  const authorization = `Basic ${btoa(`$oauthtoken:${token}`)}`;
  const address = `${url}/v2/alice/app/blobs/uploads/?digest=${digestOf(blob)}`;
  const answer = await fetch(address, { method: "POST", headers: { authorization }, body: blob });
  expect(answer.status).toBe(201);
  return `authorization: ${authorization}\r\n`;
}

/** A registry with a blob, and what its user sends to be known. */
async function open(folder: string, settings: SettingTexts = {}) {
  const registry = await startRegistry(folder, settings);
  return {
    registry,
    authorization: await push(registry),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

async function leaveAtEachStage(authorization: string, openSocket: () => Socket): Promise<void> {
  for (const text of Object.values(stages)) {
    for (const bytes of leavings) await leave(openSocket(), text(authorization), bytes);
  }
}

async function leaveStream(port: number, authorization: string, bytes: number): Promise<void> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert }).on("error", () => {});
  const [name = "", value = ""] = authorization.trim().split(": ");
  const streams = Array.from({ length: 4 }, () =>
    session.request({ ":path": path, [name]: value }).on("error", () => {}),
  );
  const [first, ...others] = streams;
  for (const other of others) other.resume(); // what is not read would stop the connection
  for (let seen = 0; seen < bytes; ) seen += (await once(first as Duplex, "data"))[0].length;
  session.destroy();
}

/** An SBOM whose reports have some hundred kilobytes, and are made in another thread. */
const largeSbom = JSON.stringify({
  ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
  components: Array.from({ length: 1500 }, (_, at) => {
    const [name, version] = [`package-${at}`, "1.0.0"];
    return { type: "library", name, version, purl: `pkg:npm/${name}@${version}`, description: "x".repeat(700) };
  }),
});

/** Pushes an image with {@link largeSbom}, and waits until it is scanned. @returns the paths of its reports and of other long documents */
async function pushReported({ process: { url }, call }: RegistryProcess, authorization: string) {
  const image = await buildImage({ layers: [await buildLayer({ "bin/app": "a program" })] });
  const repository = `${url}/v2/alice/app`;
  const credentials = authorization.trim().replace("authorization: ", "");
  await pushImage(repository, credentials, { image, reference: "v1" });
  await attachSbom(repository, credentials, { subject: image.digest, document: largeSbom });
  const manifest = `/repository/alice/app/manifest/${image.digest}`;
  const state = async () => (await call("GET", `${manifest}/security?vulnerabilities=false`)) as { status: string };
  await expect.poll(state).toMatchObject({ status: "scanned" });
  return [
    `/api/v1${manifest}/security`,
    `/api/v1${manifest}/security/report?format=cyclonedx`,
    `/api/v1${manifest}/security/diff?before=v1`,
    `/v2/alice/app/_plimsoll/report/${image.digest}`,
    "/api/v1/repository/alice/app/build/?limit=100",
  ];
}

/** Stores bytes as a blob of the registry in a folder. @returns its digest */
async function putBlob(folder: string, bytes: Uint8Array): Promise<string> {
  const blobs = createFileBlobStore(join(folder, "data", "blobs"));
  const digest = digestOf(bytes);
  await blobs.append("logs", streamBytes(bytes), { offset: 0, maxBytes: bytes.length });
  await blobs.commit("logs", digest);
  await blobs.deleteUpload("logs");
  return digest;
}

/** Puts an exported usage log, and a build with an archived log of some megabytes, into a registry. @returns their paths */
async function putLogs(folder: string): Promise<readonly string[]> {
  const location = join(folder, "data", "plimsoll.db");
  await using store = await openStore<RegistryTables>(location, { migrations: [registryMigrations] });
  const { id: repository_id } = await store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
  const lines = Array.from({ length: 6000 }, () => JSON.stringify({ message: randomBytes(500).toString("hex") }));
  const log = await putBlob(folder, gzipSync(`{}\n${lines.join("\n")}\n`));
  const [build_id, now] = [randomUUID(), Date.now()];
  const given = { archive_url: "https://example.com/app.tar", dockerfile_path: "/Dockerfile", context: "/" };
  const build = { repository_id, phase: "complete", tags: "[]", arguments: "{}", created_at: now, ...given } as const;
  await store.db
    .insertInto("build")
    .values({ id: build_id, ...build })
    .execute();
  const archive = { id: randomUUID(), build_id, digest: log, entries: lines.length, state: "archived" } as const;
  await store.db
    .insertInto("build_log_archive")
    .values({ ...archive, size_bytes: 1 })
    .execute();
  const text = Buffer.from(`{"logs":[${lines.join()}]}`);
  const link = { id: randomUUID(), file_hash: hash("sha256", "code", "base64url") };
  const exported = { digest: await putBlob(folder, text), size_bytes: text.length, created_at: now };
  await store.db
    .insertInto("log_export")
    .values({ ...link, ...exported, expires_at: now + longMs })
    .execute();
  return [`/api/v1/repository/alice/app/build/${build_id}/logs`, "/exportedlogs/code"];
}

/** How many threads a process has. */
async function threadsOf({ pid }: ServiceProcess): Promise<number> {
  return (await readdir(`/proc/${pid}/task`)).length;
}

const isOnLinux = process.platform === "linux";
const longMs = 120_000;

describe.skipIf(!isOnLinux)("clients that leave", () => {
  it.each(["files", "S3"])(
    "leave nothing behind over HTTP/1.1, with blobs on %s",
    async (store) => {
      using folder = tempFolder();
      await using s3 = await startS3Server();
      await using world = await open(folder.path, store === "files" ? {} : s3Settings({ ...s3, prefix: "" }));
      const { process: service } = world.registry;
      const before = socketsOf(service.pid ?? 0);

      await leaveAtEachStage(world.authorization, () => connect(Number(new URL(service.url).port), "127.0.0.1"));

      await expectAtRest(service, before);
    },
    longMs,
  );

  it(
    "leave nothing behind of reports, logs and other documents, nor a thread that makes them",
    async () => {
      using folder = tempFolder();
      await using world = await open(folder.path, { features: '{"builds":true}' });
      const { process: service } = world.registry;
      const logs = await putLogs(folder.path);
      const paths = [...(await pushReported(world.registry, world.authorization)), ...logs];
      const [sockets, threads] = [socketsOf(service.pid ?? 0), await threadsOf(service)];

      for (const url of paths) {
        const authorization = url.startsWith("/v2/") ? world.authorization : asBearer(world.authorization);
        for (const bytes of [0, 300, 100_000])
          await leave(connect(Number(new URL(service.url).port), "127.0.0.1"), head("GET", url, authorization), bytes);
      }
      for (const path of logs) {
        const headers = { authorization: `Bearer ${world.registry.token}` };
        const whole = await (await fetch(`${service.url}${path}`, { headers })).arrayBuffer();
        expect(whole.byteLength).toBeGreaterThan(4_000_000);
      }

      await expectAtRest(service, sockets);
      await expect.poll(() => threadsOf(service)).toBeLessThanOrEqual(threads);
    },
    longMs,
  );

  it(
    "leave nothing behind over TLS, with HTTP/1.1 and HTTP/2",
    async () => {
      using folder = tempFolder();
      await using world = await open(folder.path);
      const settings = { data: `${folder.path}/data`, offline: "1", tlsCertificate: certFile, tlsKey: keyFile };
      await using service = await ServiceProcess.start(settings);
      await service.listening();
      const before = socketsOf(service.pid ?? 0);
      const port = Number(new URL(service.url).port);

      await leaveAtEachStage(world.authorization, () => connectTls({ port, host: "127.0.0.1", ca: cert }));
      for (const bytes of leavings) await leaveStream(port, world.authorization, bytes);

      await expectAtRest(service, before);
    },
    longMs,
  );
});

for (const { name, isMissing, open: openProxy } of reverseProxies) {
  describe.skipIf(isMissing || !isOnLinux)(`clients that leave ${name}`, () => {
    it(
      "leave nothing behind in the registry",
      async () => {
        using folder = tempFolder();
        await using world = await open(folder.path);
        const { process: service, host } = world.registry;
        const before = socketsOf(service.pid ?? 0);
        using place = tempFolder("/tmp"); // their configurations take no path with spaces
        await using proxy = await openProxy(place.path, host);

        await leaveAtEachStage(world.authorization, () => connect(proxy.port, "127.0.0.1"));
        await proxy[Symbol.asyncDispose]();

        await expectAtRest(service, before);
      },
      longMs,
    );
  });
}
