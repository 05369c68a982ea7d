import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { loopbackCertificate, memoryTestEngine, type TestTransport } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";

const name = "/v2/alice/images";

/** A registry with small limits, and a full disk for content that is announced by sha512. */
function openSmall(transport: TestTransport) {
  return openTestDistribution({
    engine: memoryTestEngine,
    transport,
    settings: { maxManifestBytes: 1000, maxBlobBytes: 100_000 },
    wrapBlobs: (blobs) => ({
      ...blobs,
      async append(uploadId, source, options) {
        if (options.algorithm !== "sha512") return blobs.append(uploadId, source, options);
        for await (const _ of source) throw new BlobStoreError("full", "there is no room");
        return 0;
      },
    }),
  });
}

function open(transport: TestTransport, { host: place }: TestDistribution): Socket {
  const [host = "", port] = place.split(":");
  const options = { host, port: Number(port), ca: loopbackCertificate().cert, allowHalfOpen: true };
  return transport === "HTTP/1.1" ? connect(options) : connectTls(options);
}

const head = (what: string, more: string) =>
  `${what} HTTP/1.1\r\nHost: x\r\nAuthorization: Test alice\r\nContent-Type: ${ociManifestType}\r\n${more}\r\n`;

const refusals = [
  { what: "a manifest is too large", request: `PUT ${name}/manifests/latest`, status: 413 },
  { what: "a blob is too large", request: `POST ${name}/blobs/uploads/?digest=sha256:${"0".repeat(64)}`, status: 413 },
  { what: "there is no room", request: `POST ${name}/blobs/uploads/?digest=sha512:${"0".repeat(128)}`, status: 507 },
  { what: "the caller may not", request: "POST /v2/bob/images/blobs/uploads/", status: 401 },
] as const;

const transports = ["HTTP/1.1", "TLS with HTTP/1.1"] as const;
const rows = transports.flatMap((transport) => refusals.map((refusal) => ({ transport, ...refusal })));

describe.each(rows)("a refused body over $transport where $what", ({ transport, request, status }) => {
  it("leaves the connection to the next request when little of it is left", async () => {
    await using registry = await openSmall(transport);
    const socket = open(transport, registry);

    socket.write(head(request, "Content-Length: 200000\r\n"));
    socket.write(Buffer.alloc(200_000));
    socket.write(head("GET /v2/", "Connection: close\r\n"));
    const answers = await text(socket);

    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, "HTTP/1.1 200"]);
  });

  it("is not read to its end when it is large, and the answer arrives", async () => {
    await using registry = await openSmall(transport);
    const accepted = once(registry.server, transport === "HTTP/1.1" ? "connection" : "secureConnection");
    const socket = open(transport, registry).on("error", () => {});
    const sizeBytes = 300_000_000;
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });

    socket.write(head(request, `Content-Length: ${sizeBytes}\r\n`));
    const chunk = Buffer.alloc(64 * 1024);
    const closed = once(socket, "close").catch(() => {});
    const room = new Set<() => void>();
    socket.on("drain", () => {
      for (const goOn of room) goOn();
      room.clear();
    });
    const drained = () => new Promise<void>((resolve) => room.add(resolve));
    while (!socket.destroyed && socket.bytesWritten < sizeBytes) {
      if (!socket.write(chunk)) await Promise.race([drained(), closed]);
    }
    const [connection] = (await accepted) as [Socket];

    expect(received).toContain(`HTTP/1.1 ${status}`);
    expect(connection.bytesRead).toBeLessThan(sizeBytes / 2);
  });
});

describe("a refused body over HTTP/2", () => {
  it.each(refusals)("ends its stream alone where $what", async ({ request, status }) => {
    await using registry = await openSmall("TLS with HTTP/2");
    const session = connectHttp2(`https://${registry.host}`, { ca: loopbackCertificate().cert });
    const [method = "", path = ""] = request.split(" ");
    const shared = { authorization: "Test alice", "content-type": ociManifestType };

    const stream = session.request({ ":method": method, ":path": path, ...shared }, { endStream: false });
    stream.on("error", () => {}).write(Buffer.alloc(400_000));
    const [refused] = await once(stream, "response");
    await Promise.race([once(stream.resume(), "end"), once(stream, "close")]);
    const next = session.request({ ":path": "/v2/", ...shared });
    const [answered] = await once(next, "response");
    next.resume();
    session.close();
    await once(session, "close");

    expect([refused[":status"], answered[":status"]]).toEqual([status, 200]);
  });
});

describe("a small refused body over HTTP/2", () => {
  it("is passed over, so that its stream is not closed while it is on its way", async () => {
    await using registry = await openSmall("TLS with HTTP/2");
    const session = connectHttp2(`https://${registry.host}`, { ca: loopbackCertificate().cert });
    const request = { ":method": "POST", ":path": "/v2/alice/images/blobs/uploads/", authorization: "Test nobody" };

    const stream = session.request(request, { endStream: false });
    const [refused] = await once(stream, "response");
    await once(stream.resume(), "end");
    await new Promise((resolve) => session.ping(resolve)); // then everything that the server sent before has arrived
    const wasClosed = stream.closed;
    if (!wasClosed) await once(stream.end(Buffer.alloc(1000)), "close");
    session.close();
    await once(session, "close");

    expect([refused[":status"], wasClosed, stream.rstCode]).toEqual([401, false, 0]);
  });
});

describe("a client that waits with its body", () => {
  it.each([
    ["is told to send it", `PUT ${name}/manifests/latest`, "HTTP/1.1 100"],
    ["is refused where it may not", "PUT /v2/bob/images/manifests/latest", "HTTP/1.1 401"],
  ])("%s", async (_, request, first) => {
    await using registry = await openSmall("HTTP/1.1");
    const socket = open("HTTP/1.1", registry);

    socket.write(head(request, "Content-Length: 2\r\nExpect: 100-continue\r\n"));
    const [answer] = await once(socket, "data");
    socket.destroy();

    expect(String(answer).slice(0, first.length)).toBe(first);
  });
});

describe("a client that sends nothing after its request", () => {
  it.each(transports)("is answered whole over %s, and what it sent is stored", async (transport) => {
    await using registry = await openSmall(transport);
    const digest = digestOf("a blob");
    const socket = open(transport, registry);

    socket.end(`${head(`POST ${name}/blobs/uploads/?digest=${digest}`, "Content-Length: 6\r\n")}a blob`);

    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 201 .*docker-content-digest: ${digest}`, "s"));
    expect((await registry.send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
  });
});
