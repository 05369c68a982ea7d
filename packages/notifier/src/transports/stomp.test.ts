import { createServer, type Socket } from "node:net";
import { findRabbit, skipNote } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { connectSocket } from "../adapters/connect-socket.ts";
import { createQueue } from "./fixtures/rabbit-queue.ts";
import { deliveryOf, transportContract } from "./fixtures/transport-contract.ts";
import { encodeFrame, readFrames, type StompFrame, type StompOptions, stompTransport } from "./stomp.ts";

const rabbit = findRabbit();
const { amqp = "", stomp = "", stompTls = "", ca = "" } = rabbit ?? {};
const signal = new AbortController().signal;
const user = { login: "guest", passcode: "guest" };

function transportTo(addresses: readonly string[], more: Partial<StompOptions> = {}) {
  const timeout = () => new AbortController().signal;
  const connect = connectSocket({ idleMs: 5_000 });
  return stompTransport({ addresses, destination: "/queue/none", user, connect, timeout, ...more });
}

const secure = connectSocket({ tls: { ca }, idleMs: 5_000 });

const rows = [
  { how: "by callback", address: stomp, more: {} },
  { how: "directly, one by one", address: stomp, more: { direct: {} } },
  { how: "directly, 50 at a time", address: stomp, more: { direct: { rollup: 50 } } },
  { how: "by callback over TLS", address: stompTls, more: { connect: secure } },
];

const title = skipNote(rabbit === undefined ? "PLIMSOLL_TEST_RABBITMQ is not set" : undefined);

describe.skipIf(rabbit === undefined)(`stompTransport to RabbitMQ${title}`, () => {
  describe.each(rows)("$how", ({ address, more }) => {
    it.each(transportContract)("$name", async ({ run }) => {
      await using queue = await createQueue(amqp);
      const place = { destination: `/amq/queue/${queue.name}`, ...more };

      await run({
        transport: transportTo([address], place),
        unreachable: transportTo(["127.0.0.1:1"], place),
        refused: transportTo([address], { ...place, user: { login: "guest", passcode: "open-sesame" } }),
        secret: "open-sesame",
        received: async () => (await queue.read()).map(({ document }) => document),
      });
    });
  });

  it("uses the next address when the first is dead", async () => {
    await using queue = await createQueue(amqp);
    const transport = transportTo(["127.0.0.1:1", stomp], { destination: `/amq/queue/${queue.name}` });

    expect(await transport.deliver(deliveryOf(1), { signal })).toEqual({ kind: "delivered" });
    expect(await queue.read()).toMatchObject([{ headers: { headers: { "notification-id": deliveryOf(1).setId } } }]);
  });

  it.each([
    {
      problem: "a virtual host that is not there",
      more: { virtualHost: "/none" },
      reason: /the broker reported an error/,
    },
    {
      problem: "a destination that is none",
      more: { destination: "/none/such" },
      reason: /the broker reported an error/,
    },
    { problem: "a certificate of an unknown CA", tls: true, more: {}, reason: /self-signed certificate/ },
  ])("asks to try again for $problem", async ({ more, tls, reason }) => {
    const untrusting = { connect: connectSocket({ tls: {}, idleMs: 5_000 }) };
    const transport = transportTo([tls ? stompTls : stomp], { ...more, ...(tls && untrusting) });

    const outcome = await transport.deliver(deliveryOf(1), { signal });

    expect(outcome).toEqual({ kind: "retry", reason: expect.stringMatching(reason) });
  });
});

/** A peer that handles each connection with `behave`. */
async function startPeer(behave: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

describe("stompTransport", () => {
  const hello = encodeFrame({ command: "CONNECTED", headers: { version: "1.2" } });
  it.each([
    { peer: "closes at once", says: [], reason: /expected CONNECTED, found the end/ },
    {
      peer: "speaks HTTP",
      says: [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
      reason: /expected a STOMP command/,
    },
    { peer: "never ends its frame", says: [Buffer.alloc(300_000, "A")], reason: /at most 262144 bytes/ },
    { peer: "greets and closes", says: [hello], reason: /expected RECEIPT, found the end/ },
    {
      peer: "confirms something else",
      says: [hello, encodeFrame({ command: "RECEIPT", headers: { "receipt-id": "other" } })],
      reason: /expected RECEIPT, found the end/,
    },
    {
      peer: "refuses",
      says: [hello, encodeFrame({ command: "ERROR", headers: { message: "full" }, body: "try later" })],
      reason: /the broker reported an error: full: try later/,
    },
  ])("asks to try again when a broker $peer", async ({ says, reason }) => {
    using peer = await startPeer((socket) => {
      socket.resume();
      socket.end(Buffer.concat(says));
    });

    const outcome = await transportTo([peer.address]).deliver(deliveryOf(1), { signal });

    expect(outcome).toEqual({ kind: "retry", reason: expect.stringMatching(reason) });
  });

  it("gives up a broker that does not answer", async () => {
    const connected = Promise.withResolvers<void>();
    using peer = await startPeer(() => connected.resolve());
    const time = new AbortController();

    const delivering = transportTo([peer.address], { timeout: () => time.signal }).deliver(deliveryOf(1), { signal });
    await connected.promise;
    time.abort(new Error("a minute is over"));

    expect(await delivering).toEqual({ kind: "retry", reason: expect.stringContaining("a minute is over") });
  });

  it("gives up a broker that falls silent", async () => {
    using peer = await startPeer(() => {});
    const connect = connectSocket({ idleMs: 20 });

    const outcome = await transportTo([peer.address], { connect }).deliver(deliveryOf(1), { signal });

    expect(outcome).toEqual({ kind: "retry", reason: expect.stringContaining("no data for 20 ms") });
  });
});

async function framesOf(...chunks: readonly string[]): Promise<StompFrame[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  }
  const frames: StompFrame[] = [];
  for await (const found of readFrames(stream(), { maxBytes: 1_000 })) frames.push(found);
  return frames;
}

describe("readFrames", () => {
  it.each<[string, readonly string[], readonly StompFrame[]]>([
    ["nothing", [], []],
    ["heart-beats alone", ["\n\r\n\n"], []],
    ["a frame", ["RECEIPT\nreceipt-id:1\n\n\0"], [{ command: "RECEIPT", headers: { "receipt-id": "1" }, body: "" }]],
    ["CRLF", ["RECEIPT\r\na:1\r\n\r\n\0\r\n"], [{ command: "RECEIPT", headers: { a: "1" }, body: "" }]],
    ["no header", ["ERROR\n\noops\0"], [{ command: "ERROR", headers: {}, body: "oops" }]],
    [
      "a body with NUL",
      ["MESSAGE\ncontent-length:3\n\na\0b\0"],
      [{ command: "MESSAGE", headers: { "content-length": "3" }, body: "a\0b" }],
    ],
    ["escapes", ["ERROR\na\\cb:\\\\ \\n\\r\n\n\0"], [{ command: "ERROR", headers: { "a:b": "\\ \n\r" }, body: "" }]],
    [
      "no escapes in CONNECTED",
      ["CONNECTED\na:\\c:\n\n\0"],
      [{ command: "CONNECTED", headers: { a: "\\c:" }, body: "" }],
    ],
    ["the first of two headers", ["ERROR\na:1\na:2\n\n\0"], [{ command: "ERROR", headers: { a: "1" }, body: "" }]],
    ["an empty value", ["ERROR\na:\n\n\0"], [{ command: "ERROR", headers: { a: "" }, body: "" }]],
    [
      "two frames in odd pieces",
      ["REC", "EIPT\na:", "1\n", "\n", "\0\nERROR\n\n", "\0"],
      [
        { command: "RECEIPT", headers: { a: "1" }, body: "" },
        { command: "ERROR", headers: {}, body: "" },
      ],
    ],
  ])("reads %s", async (_, chunks, frames) => {
    expect(await framesOf(...chunks)).toEqual(frames);
  });

  it.each([
    ["a command that is none", "receipt\n\n\0", /expected a STOMP command, found "receipt"/],
    ["a header without a colon", "ERROR\noops\n\n\0", /expected a STOMP header, found "oops"/],
    ["a header without a name", "ERROR\n:oops\n\n\0", /expected a STOMP header/],
    ["an unknown escape", "ERROR\na:\\t\n\n\0", /found \\t/],
    ["half an escape", "ERROR\na:b\\\n\n\0", /found \\/],
    ["a length that is none", "ERROR\ncontent-length:-1\n\n\0", /expected a content-length/],
    ["a length that lies", "ERROR\ncontent-length:1\n\nab\0", /expected NUL after a body of 1 bytes/],
    ["an end within a frame", "ERROR\na:1\n", /the end of the stream/],
    ["an end within a body", "ERROR\ncontent-length:9\n\nab", /the end of the stream/],
    ["a frame without end", `ERROR\n\n${"a".repeat(2_000)}`, /at most 1000 bytes/],
  ])("refuses %s", async (_, text, message) => {
    await expect(framesOf(text)).rejects.toThrow(message);
  });
});
