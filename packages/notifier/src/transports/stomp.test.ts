import { createServer, type Socket } from "node:net";
import { findRabbit, skipNote } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { connectSocket } from "../adapters/connect-socket.ts";
import { createQueue } from "./fixtures/rabbit-queue.ts";
import { deliveryOf, transportContract } from "./fixtures/transport-contract.ts";
import { type StompOptions, stompTransport } from "./stomp.ts";
import { encodeFrame } from "./stomp-frames.ts";

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
