import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discardBody, limitBody, readBody } from "./limit-body.ts";
import { type Outbound, openOutbound } from "./outbound.ts";

/** What a peer does after it has the request. It may go on until the socket closes. */
type Misbehaviour = (socket: Socket) => void;

const status = "HTTP/1.1 200 OK\r\n";
const head = (...headers: readonly string[]) => `${status}${headers.join("\r\n")}\r\n\r\n`;

/** Writes again and again, as fast as the other side reads. */
function pour(socket: Socket, bytes: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Writes again and again, slowly. */
function drip(socket: Socket, bytes: string, everyMs = 20): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.once("close", () => clearInterval(timer));
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** What each peer does, and how reading its response ends: with bytes, or with an error. */
const peers: readonly (readonly [what: string, does: Misbehaviour, ends: RegExp | number])[] = [
  ["never answers", () => {}, /Headers Timeout/],
  [
    "sends headers without end",
    (socket) => {
      socket.write(status);
      pour(socket, "x-more: 0123456789\r\n");
    },
    /Headers Overflow/,
  ],
  [
    "sends one header after another, slowly",
    (socket) => {
      socket.write(status);
      drip(socket, "x: y\r\n");
    },
    /Headers Timeout/,
  ],
  ["sends interim responses without end", (socket) => pour(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"), /interim/],
  ["sends interim responses slowly", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"), /interim/],
  ["sends headers and stalls", (socket) => socket.write(head("content-length: 9")), /stalled: nothing arrived/],
  ["begins a body and stalls", (socket) => socket.write(`${head("content-length: 9")}abc`), /too slow: 3 bytes/],
  [
    "sends a byte at a time",
    (socket) => {
      socket.write(head("content-length: 90000"));
      drip(socket, "x");
    },
    /too slow: \d+ bytes within 0\.2 s, expected at least 1024/,
  ],
  [
    "sends a body without end",
    (socket) => {
      socket.write(head("connection: close"));
      pour(socket, "x".repeat(16_384));
    },
    /more than 100000 bytes/,
  ],
  [
    "sends less than its content-length",
    (socket) => socket.end(`${head("content-length: 9")}abc`),
    /broke off after 3/,
  ],
  ["sends more than its content-length", (socket) => socket.end(`${head("content-length: 3")}abcdef`), 3],
  ["resets in the middle", reset, /broke off after \d|ECONNRESET/],
  ["sends 204 with a body", (socket) => socket.end("HTTP/1.1 204 No Content\r\ncontent-length: 3\r\n\r\nabc"), 0],
  [
    "sends chunks that are none",
    (socket) => socket.end(`${head("transfer-encoding: chunked")}3\r\nabc\r\nnonsense\r\n`),
    /broke off after 3 bytes: .*chunk/i,
  ],
  [
    "breaks off a chunk",
    (socket) => socket.end(`${head("transfer-encoding: chunked")}9\r\nabc`),
    /broke off after 3 bytes/,
  ],
  [
    "redirects in a circle",
    (socket) => socket.end("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
    /more than 5 redirects|redirect count exceeded/,
  ],
  ["is no HTTP server", (socket) => socket.end("220 mail.example ESMTP\r\n"), /Expected HTTP/],
  ["closes the connection", (socket) => socket.end(), /other side closed|closed/],
];

function reset(socket: Socket): void {
  socket.write(`${head("content-length: 9")}abc`, () => socket.resetAndDestroy());
}

const cap = { maxBytes: 100_000, tooLarge: () => new RangeError("more than 100000 bytes") };

/** Each way to send a request, and to read the body of the response. @returns the number of bytes */
const readers = {
  "send, into memory": async (outbound: Outbound, url: URL) =>
    (await readBody((await outbound.send({ url })).body, cap)).length,
  "send, as a stream": async (outbound: Outbound, url: URL) => {
    let bytes = 0;
    for await (const chunk of limitBody((await outbound.send({ url })).body, cap)) bytes += chunk.length;
    return bytes;
  },
  "fetch, into memory": async (outbound: Outbound, url: URL) =>
    (await readBody((await outbound.fetch(url)).body ?? (async function* () {})(), cap)).length,
} satisfies Readonly<Record<string, (outbound: Outbound, url: URL) => Promise<number>>>;

let server: Server;
let peer: Misbehaviour = () => {};
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.on("data", () => peer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => void server.close());

const address = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
const open = () => openOutbound({ policy: "trusted", connectMs: 5_000, idleMs: 200 });

/** All messages of an error. */
function said(error: unknown): string {
  return error instanceof Error ? `${error.message} ${said(error.cause)}` : "";
}

describe.each(Object.entries(readers))("%s, from a peer that", (_, read) => {
  it.each(peers)("%s, ends and leaves no connection", async (_what, does, ends) => {
    peer = does;
    await using outbound = open();

    const got = await read(outbound, address()).catch(said);

    if (typeof ends === "number") expect(got).toBe(ends);
    else expect(got).toMatch(ends);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("discardBody, from a peer that", () => {
  it.each(peers)("%s, does not fail and leaves no connection", async (_what, does) => {
    peer = does;
    await using outbound = open();

    const response = await outbound.send({ url: address() }).catch(() => undefined);
    if (response !== undefined) await discardBody(response);

    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("a response", () => {
  it("that nobody reads ends its connection", async () => {
    peer = (socket) => socket.write(`${head("content-length: 9")}abc`);
    await using outbound = open();

    const { body } = await outbound.send({ url: address() });
    await expect.poll(() => sockets.size).toBe(0);

    await expect(readBody(body, cap)).rejects.toThrow(/was not read within 0\.2 s/);
  });

  it("that takes too long in all ends, however steadily it arrives", async () => {
    peer = (socket) => {
      socket.write(head("connection: close"));
      drip(socket, "x".repeat(1_024));
    };
    await using outbound = open();

    const reading = readBody((await outbound.send({ url: address() })).body, { ...cap, maxBytes: 1e9, withinMs: 300 });

    await expect(reading).rejects.toMatchObject({ code: "RESPONSE_TIMEOUT", host: address().host });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it("that its reader leaves half read ends its connection", async () => {
    peer = (socket) => {
      socket.write(head("connection: close"));
      pour(socket, "x".repeat(16_384));
    };
    await using outbound = open();

    for await (const _ of (await outbound.send({ url: address() })).body) break;

    await expect.poll(() => sockets.size).toBe(0);
  });

  it("waits for a slow reader", async () => {
    peer = (socket) => socket.write(`${head("content-length: 600000")}${"x".repeat(600_000)}`);
    await using outbound = open();
    const { body } = await outbound.send({ url: address() });
    const chunks = body[Symbol.asyncIterator]();

    const begunAt = performance.now();
    let bytes = 0;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (bytes === 0) await expect.poll(() => performance.now() - begunAt).toBeGreaterThan(500);
      bytes += next.value.length;
    }

    expect(bytes).toBe(600_000);
  });

  it.each([
    ["gzip", bomb],
    ["deflate", deflateSync(Buffer.alloc(64 * 1024 * 1024))],
    ["gzip, gzip", gzipSync(bomb)],
  ])("that is a bomb in %s is read up to its limit", async (encoding, bytes) => {
    peer = (socket) => {
      socket.write(head(`content-encoding: ${encoding}`, `content-length: ${bytes.length}`));
      socket.end(bytes);
    };
    await using outbound = open();
    const before = process.memoryUsage().rss;

    await expect(readers["fetch, into memory"](outbound, address())).rejects.toThrow("more than 100000 bytes");

    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("a connection that the server closes when a request is sent on it again", () => {
  const requests = { seen: 0 };
  const onceOnly: Misbehaviour = (socket) => {
    requests.seen += 1;
    if (served.has(socket)) return void socket.resetAndDestroy();
    served.add(socket);
    socket.write(`${head("content-length: 2")}ok`);
  };
  const served = new WeakSet<Socket>();

  it.each(["GET", "HEAD", "PUT", "DELETE"] as const)("is replaced for %s", async (method) => {
    peer = onceOnly;
    await using outbound = open();
    await discardBody(await outbound.send({ url: address() }));
    await turn();
    requests.seen = 0;

    const sent = outbound.send({ url: address(), method, body: method === "PUT" ? "new" : undefined });

    expect(await sent).toMatchObject({ status: 200 });
    expect(requests.seen).toBe(2);
    await discardBody(await sent);
  });

  it("is replaced for fetch", async () => {
    peer = onceOnly;
    await using outbound = open();
    for (let requests = 0; requests < 3; requests++) {
      const response = await outbound.fetch(address());
      expect(response.status).toBe(200);
      await discardBody(response);
      await turn();
    }
  });

  it("is an error for POST, which may have had its effect", async () => {
    peer = onceOnly;
    await using outbound = open();
    await discardBody(await outbound.send({ url: address() }));
    await turn();
    requests.seen = 0;

    await expect(outbound.send({ url: address(), method: "POST", body: "new" })).rejects.toThrow();

    expect(requests.seen).toBe(1);
  });
});
