import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { OpenSends } from "./open-sends.ts";
import { type SendEnd, sendBody } from "./send-body.ts";
import { defaultSendLimits } from "./send-limits.ts";

const { cert, key } = loopbackCertificate();
const bodyBytes = 64 * 1024 * 1024; // more than systems hold

/** A body in one shared buffer, which counts how often it was opened and closed. */
function countedBody() {
  const counts = { opened: 0, closed: 0, sentBytes: 0 };
  async function* body(): AsyncGenerator<Uint8Array> {
    counts.opened += 1;
    const chunk = Buffer.alloc(32 * 1024);
    try {
      for (; counts.sentBytes < bodyBytes; counts.sentBytes += chunk.length) yield chunk;
    } finally {
      await Promise.resolve(); // closing takes a while
      counts.closed += 1;
    }
  }
  return { counts, body };
}

type Listener = (response: ServerResponse) => void;

/** A server, and a client that has sent its request. */
interface Transport {
  readonly name: string;
  readonly listen: (answer: Listener) => Server;
  readonly request: (port: number) => Duplex;
}

const get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

function written<Stream extends Duplex>(socket: Stream, text: string): Stream {
  socket.on("error", () => {}).write(text);
  return socket;
}

function requestHttp2(port: number): Duplex {
  const session: ClientHttp2Session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
  const stream = session.request({ ":path": "/" }).on("error", () => {});
  stream.once("close", () => session.destroy());
  return stream;
}

const overHttp = (answer: Listener) => createServer((_, response) => answer(response));
const overTls = (answer: Listener) => createTlsServer({ cert, key }, (_, response) => answer(response));
const overHttp2 = (answer: Listener) =>
  createHttp2Server((_, response) => answer(response as unknown as ServerResponse)) as unknown as Server;
const openTls = (port: number) => connectTls({ port, host: "127.0.0.1", ca: cert });

const transports: readonly Transport[] = [
  { name: "HTTP/1.1", listen: overHttp, request: (port) => written(connect(port, "127.0.0.1"), get) },
  {
    name: "pipelined HTTP/1.1",
    listen: overHttp,
    request: (port) => written(connect(port, "127.0.0.1"), get.repeat(3)),
  },
  { name: "TLS", listen: overTls, request: (port) => written(openTls(port), get) },
  { name: "pipelined TLS", listen: overTls, request: (port) => written(openTls(port), get.repeat(3)) },
  { name: "HTTP/2", listen: overHttp2, request: requestHttp2 },
];

/** Serves bodies; `ends` are those of the responses so far, and `began` resolves with the first response. */
async function serve({ listen }: Transport, gate = Promise.resolve()) {
  const { counts, body } = countedBody();
  const ends: (SendEnd | Error)[] = [];
  const began = Promise.withResolvers<void>();
  let requests = 0;
  const server = listen((response) => {
    requests += 1;
    began.resolve();
    const head = () => response.writeHead(200, { "content-length": bodyBytes });
    gate
      .then(() => sendBody(response, body(), { head, lengthBytes: bodyBytes }))
      .then(
        (end) => ends.push(end),
        (error) => ends.push(error),
      );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const isSettled = () => requests > 0 && ends.length === requests && counts.opened === counts.closed;
  return { port, counts, ends, began: began.promise, isSettled, [Symbol.dispose]: () => server.close() };
}

async function readUntil(stream: Duplex, bytes: number): Promise<void> {
  for (let seen = 0; seen < bytes; ) seen += (await once(stream, "data"))[0].length;
}

describe.each(transports)("sendBody over $name", (transport) => {
  it.each([1, 200, 32 * 1024, 65 * 1024, 1_000_000])(
    "closes its bodies when the client leaves at byte %i",
    async (bytes) => {
      using server = await serve(transport);
      const client = transport.request(server.port);
      await readUntil(client, bytes);

      client.destroy();

      await expect.poll(server.isSettled).toBe(true);
      expect(new Set(server.ends)).toEqual(new Set(["left"]));
    },
  );

  it("opens nothing for a client that leaves before the head", async () => {
    const gate = Promise.withResolvers<void>();
    using server = await serve(transport, gate.promise);
    const client = transport.request(server.port);
    await server.began;

    client.destroy();
    await once(client, "close");
    gate.resolve();

    await expect.poll(server.isSettled).toBe(true);
    expect(new Set(server.ends)).toEqual(new Set(["left"]));
    expect(server.counts.sentBytes).toBeLessThan(bodyBytes);
  });

  it("returns a body, and gives its place back, when the client leaves while the next chunk is waited for", async () => {
    const waiting = Promise.withResolvers<IteratorResult<Uint8Array>>();
    const state = { asked: 0, returned: 0 };
    const body: AsyncIterableIterator<Uint8Array> = {
      next: () => (state.asked++ === 0 ? Promise.resolve({ value: Buffer.from("a") }) : waiting.promise),
      return: () => {
        state.returned += 1;
        waiting.resolve({ done: true, value: undefined });
        return waiting.promise;
      },
      [Symbol.asyncIterator]: () => body,
    };
    const sends = new OpenSends({ limits: defaultSendLimits, now: () => 0, networkOf: () => "" });
    const ended = Promise.withResolvers<SendEnd>();
    let isFirst = true;
    const server = transport.listen((response) => {
      if (!isFirst) return;
      isFirst = false;
      sends.follow(response);
      sendBody(response, body, { head: () => response.writeHead(200) }).then(ended.resolve, ended.reject);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const client = transport.request((server.address() as AddressInfo).port);
    client.resume();
    await expect.poll(() => state.asked).toBe(2);
    expect(sends.figures().open).toBe(1);

    client.destroy();

    expect(await ended.promise).toBe("left");
    expect([state.returned, sends.figures().open]).toEqual([1, 0]);
    server.close();
  });

  it("closes its bodies when the client leaves without reading", async () => {
    using server = await serve(transport);
    const client = transport.request(server.port).pause();
    await server.began;
    const seen = [-1];
    await expect.poll(() => seen.at(-1) === seen[seen.push(server.counts.sentBytes) - 1], { interval: 50 }).toBe(true);

    client.destroy();

    await expect.poll(server.isSettled).toBe(true);
    expect(server.counts.sentBytes).toBeLessThan(bodyBytes);
  });
});

describe("sendBody", () => {
  /** Answers one request with a body. @returns what the client got, and how it ended */
  async function answer(body: AsyncIterable<Uint8Array>, lengthBytes?: number) {
    const ended = Promise.withResolvers<SendEnd>();
    const server = createServer((_, response) => {
      const head = () => response.writeHead(200, { "content-length": lengthBytes ?? 0 });
      sendBody(response, body, { head, lengthBytes }).then(ended.resolve, (error) => {
        if (!response.headersSent) response.writeHead(500).end();
        ended.reject(error);
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const fetched = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const read = fetched.then(async (response) => ({ status: response.status, text: await response.text() }));
    const [sent, got] = await Promise.allSettled([ended.promise, read]);
    server.close();
    return { sent, got };
  }

  it("is done with a chunk before it requests the next", async () => {
    const buffer = Buffer.alloc(300_000);
    async function* body() {
      for (const letter of "abc") yield buffer.fill(letter);
    }

    const { sent, got } = await answer(body(), 900_000);

    expect(sent).toMatchObject({ value: "sent" });
    const { text } = (got as PromiseFulfilledResult<{ text: string }>).value;
    expect(text).toBe("a".repeat(300_000) + "b".repeat(300_000) + "c".repeat(300_000));
  });

  it("writes nothing if the body fails at once", async () => {
    const body = { next: () => Promise.reject(new Error("the store is away")) };

    const { sent, got } = await answer({ [Symbol.asyncIterator]: () => body });

    expect(sent).toMatchObject({ reason: new Error("the store is away") });
    expect(got).toMatchObject({ value: { status: 500 } });
  });

  it("cuts the response if the body fails later", async () => {
    async function* body() {
      yield Buffer.from("begun");
      throw new Error("the store is away");
    }

    const { sent, got } = await answer(body(), 9);

    expect(sent).toMatchObject({ reason: new Error("the store is away") });
    expect(got.status).toBe("rejected");
  });

  it("cuts the response if the body is shorter than its head says", async () => {
    async function* body() {
      yield Buffer.from("short");
    }

    const { sent, got } = await answer(body(), 9);

    expect(sent).toMatchObject({ reason: new Error("the body has 5 bytes, but its head says 9") });
    expect(got.status).toBe("rejected");
  });
});
