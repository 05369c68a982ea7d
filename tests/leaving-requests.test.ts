/** Clients that leave in the middle of what they send, and services, registries and clients that leave each other, leave nothing behind. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { digestOf, loopbackCertificate } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { expectAtRest, leave, socketsOf } from "./support/leaving.ts";
import { startRegistry } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { manifestType } from "./support/source-registries.ts";
import { tempFolder } from "./support/temp-folder.ts";

const { cert, certFile, keyFile } = loopbackCertificate();
const isOnLinux = process.platform === "linux";
const longMs = 120_000;

/** Requests with a body, of which clients send only the beginning. */
const requests = [
  { method: "PATCH", path: "UPLOAD", type: "application/octet-stream" },
  { method: "PUT", path: `UPLOAD?digest=sha256:${"0".repeat(64)}`, type: "application/octet-stream" },
  { method: "PUT", path: "/v2/alice/app/manifests/v1", type: manifestType },
  { method: "POST", path: "/api/v1/repository", type: "application/json" },
  { method: "PUT", path: "/api/v1/repository/alice/app", type: "application/json" },
];

const announcedBytes = 1_000_000;

/** How much of the body is sent before the client leaves. */
const sentBytes = [0, 1, 20_000, 900_000];

async function beginUpload(url: string, token: string): Promise<string> {
  const headers = { authorization: `Basic ${btoa(`$oauthtoken:${token}`)}` };
  const begun = await fetch(`${url}/v2/alice/app/blobs/uploads/`, { method: "POST", headers });
  expect(begun.status).toBe(202);
  return new URL(begun.headers.get("location") ?? "", url).pathname;
}

/** The parts of each request, and for each how much of its body is sent. */
async function* bodies(token: string, beginUpload: (authorization: string) => Promise<string>) {
  for (const { method, path, type } of requests) {
    const scheme = path.includes("/api/") ? "Bearer " : "Basic ";
    const authorization = scheme + (path.includes("/api/") ? token : btoa(`$oauthtoken:${token}`));
    for (const bytes of sentBytes) {
      const place = path.startsWith("UPLOAD") ? path.replace("UPLOAD", await beginUpload(authorization)) : path;
      const headers = { authorization, "content-type": type, "content-length": `${announcedBytes}` };
      yield { method, path: place, headers, body: Buffer.alloc(bytes, " ") };
    }
  }
}

describe.skipIf(!isOnLinux)("clients that leave in the middle of a body", () => {
  it(
    "leave nothing behind over HTTP/1.1, and can go on with their uploads",
    async () => {
      using folder = tempFolder();
      await using registry = await startRegistry(folder.path);
      const { process: service, token, host } = registry;
      const before = socketsOf(service.pid ?? 0);

      for await (const { method, path, headers, body } of bodies(token, () => beginUpload(service.url, token))) {
        const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
        const socket = connect(Number(host.split(":")[1]), "127.0.0.1").on("error", () => {});
        socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
        await new Promise((resolve) => socket.write(body, resolve));
        if (body.length === 1) socket.resetAndDestroy();
        else socket.destroy();
      }

      await expectAtRest(service, before);
      expect(await beginUpload(service.url, token)).toContain("/uploads/");
      await registry.call("POST", "/repository", {
        ...{ namespace: "alice", repository: "later", visibility: "private", description: "" },
      });
    },
    longMs,
  );

  it(
    "leave nothing behind over HTTP/2",
    async () => {
      using folder = tempFolder();
      const { token } = await startRegistry(folder.path).then(async (registry) => {
        await registry[Symbol.asyncDispose]();
        return registry;
      });
      const settings = { data: `${folder.path}/data`, offline: "1", tlsCertificate: certFile, tlsKey: keyFile };
      await using service = await ServiceProcess.start(settings);
      await service.listening();
      const { port } = new URL(service.url);
      const before = socketsOf(service.pid ?? 0);
      const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert }).on("error", () => {});
      const beginUpload = async (authorization: string) => {
        const head = { ":method": "POST", ":path": "/v2/alice/app/blobs/uploads/", authorization };
        const [{ location }] = await once(session.request(head).end().resume(), "response");
        return new URL(location, service.url).pathname;
      };

      for await (const { method, path, headers, body } of bodies(token, beginUpload)) {
        const head = { ":method": method, ":path": path, ...headers };
        const stream = session.request(head, { endStream: false }).on("error", () => {});
        await new Promise((resolve) => stream.write(body, resolve));
        stream.close(8);
      }
      session.destroy();

      await expectAtRest(service, before);
    },
    longMs,
  );

  it(
    "leave nothing behind on the health port",
    async () => {
      using folder = tempFolder();
      await using registry = await startRegistry(folder.path);
      const { process: service } = registry;
      const port = Number(new URL(service.healthUrl).port);
      const before = socketsOf(service.pid ?? 0);

      for (const text of ["GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n".repeat(50), "GET /metr"]) {
        for (const bytes of [0, 1, 5_000, 100_000]) {
          await leave(connect(port, "127.0.0.1"), text, bytes);
        }
      }

      await expectAtRest(service, before);
    },
    longMs,
  );
});

/** A server that begins its answers, and goes on as a test tells it. */
async function startStalling(answer: (request: IncomingMessage, response: ServerResponse) => boolean) {
  const stalled: ServerResponse[] = [];
  let finish: ((response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    response.on("error", () => {});
    if (!answer(request, response)) return;
    stalled.push(response);
    finish?.(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  /** Goes on with all answers, also with later ones. */
  const goOn = (end: (response: ServerResponse) => void) => {
    finish = end;
    for (const response of stalled) end(response);
  };
  return { address, stalled, goOn, [Symbol.dispose]: close };
}

describe.skipIf(!isOnLinux)("a matcher whose indexer stalls in the middle of a report", () => {
  const path = `/matcher/api/v1/vulnerability_report/sha256:${"1".repeat(64)}`;

  async function startMatcher(folder: string, indexer: string) {
    const settings = { mode: "matcher", indexerAddress: `http://${indexer}`, offline: "1" };
    const matcher = await ServiceProcess.start({ ...settings, database: `${folder}/matcher.db` });
    await matcher.listening();
    return matcher;
  }

  const begin = (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"manifest_hash": "');
    return true;
  };

  it(
    "ends its request when its client leaves",
    async () => {
      using folder = tempFolder();
      using indexer = await startStalling(begin);
      await using matcher = await startMatcher(folder.path, indexer.address);
      const before = socketsOf(matcher.pid ?? 0);
      const client = connect(Number(new URL(matcher.url).port), "127.0.0.1");
      client.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
      await expect.poll(() => indexer.stalled.length).toBe(1);

      client.resetAndDestroy();

      await expect.poll(() => indexer.stalled[0]?.destroyed).toBe(true);
      await expectAtRest(matcher, before);
    },
    longMs,
  );

  it(
    "says so when the indexer dies",
    async () => {
      using folder = tempFolder();
      using indexer = await startStalling(begin);
      await using matcher = await startMatcher(folder.path, indexer.address);
      const before = socketsOf(matcher.pid ?? 0);
      const asked = fetch(matcher.url + path);
      await expect.poll(() => indexer.stalled.length).toBe(1);

      indexer.goOn((response) => void response.destroy());
      const answer = await asked;

      const message = "the indexer cannot be used at the moment: try again later";
      expect([answer.status, await answer.json()]).toEqual([503, { code: "service-unavailable", message }]);
      await expect.poll(() => socketsOf(matcher.pid ?? 0)).toBeLessThanOrEqual(before + 5);
      expect(matcher.crashes).toEqual([]);
    },
    longMs,
  );
});

describe.skipIf(!isOnLinux)("a cache of a registry that stalls in the middle of a blob", () => {
  const blob = randomBytes(3_000_000);
  const config = Buffer.from("{}");
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf(config), size: 2 },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", digest: digestOf(blob), size: blob.length }],
  });

  /** Answers all, but stalls after a third of the blob. */
  const answer = ({ url = "" }: IncomingMessage, response: ServerResponse) => {
    if (url.includes(`/blobs/${digestOf(blob)}`)) {
      response.writeHead(200, { "content-length": blob.length }).write(blob.subarray(0, 1_000_000));
      return true;
    }
    const digest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
    if (url.includes("/manifests/")) {
      response.writeHead(200, { "content-type": manifestType, "docker-content-digest": digest }).end(manifest);
    } else response.writeHead(200).end(url.includes("/blobs/") ? config : "");
    return false;
  };

  it.each([
    { later: "goes on", end: (response: ServerResponse) => void response.end(blob.subarray(1_000_000)) },
    { later: "breaks off", end: (response: ServerResponse) => void response.destroy() },
  ])(
    "leaves nothing behind when its clients leave, and the registry then $later",
    async ({ end }) => {
      using folder = tempFolder();
      using source = await startStalling(answer);
      const settings = { offline: "0", updaters: "", allowedInternalHosts: "127.0.0.1" };
      await using registry = await startRegistry(folder.path, settings);
      const { process: service, token } = registry;
      await registry.call("POST", "/organization/", { name: "cache", email: "cache@example.com" });
      const upstream = { upstream_registry: source.address, insecure: true };
      await registry.call("POST", "/organization/cache/proxycache", upstream);
      const headers = `host: 127.0.0.1\r\nauthorization: Basic ${btoa(`$oauthtoken:${token}`)}\r\n`;
      const before = socketsOf(service.pid ?? 0);
      const get = (what: string) => `GET /v2/cache/app/${what} HTTP/1.1\r\n${headers}\r\n`;
      const port = Number(new URL(service.url).port);
      const found = await fetch(`${service.url}/v2/cache/app/manifests/v1`, {
        headers: { authorization: `Basic ${btoa(`$oauthtoken:${token}`)}` },
      });
      expect([found.status, await found.text()]).toEqual([200, manifest]);

      for (const bytes of [1, 0]) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        socket.write(get(`blobs/${digestOf(blob)}`));
        if (bytes > 0) await once(socket, "data");
        await expect.poll(() => source.stalled.length).toBeGreaterThan(0);
        socket.resetAndDestroy(); // a client that only closes its side still waits
      }
      const metrics = async () => (await fetch(`${service.healthUrl}/metrics`)).text();
      await expect.poll(metrics).toContain("\nplimsoll_open_sends 0\n");
      source.goOn(end);

      await expectAtRest(service, before);
    },
    longMs,
  );
});
