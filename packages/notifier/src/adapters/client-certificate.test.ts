import { createServer, type TLSSocket } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { connectAmqp } from "./connect-amqp.ts";
import { connectSocket } from "./connect-socket.ts";

const { cert, key } = loopbackCertificate();
const authority = { ca: cert.toString() };
const client = { cert: cert.toString(), key: key.toString() };
const signal = new AbortController().signal;

/** A broker that requests a certificate, and reports whether it is valid. It sends nothing. */
async function startBroker() {
  const { promise: seen, resolve } = Promise.withResolvers<boolean>();
  const sockets: TLSSocket[] = [];
  const server = createServer({ cert, key, ca: [cert], requestCert: true, rejectUnauthorized: false });
  server.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    resolve(socket.authorized);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    port,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

const rows = [
  { tls: { ...authority, ...client }, isKnown: true },
  { tls: authority, isKnown: false },
];

describe("connectAmqp", () => {
  it.each(rows)("sends the broker a certificate if there is one: $isKnown", async ({ tls, isKnown }) => {
    await using broker = await startBroker();

    await connectAmqp({ tls, timeoutMs: 500, appId: "test" })(`amqps://127.0.0.1:${broker.port}`, { signal }).catch(
      () => {},
    );

    expect(await broker.seen).toBe(isKnown);
  });
});

describe("connectSocket", () => {
  it.each(rows)("sends the broker a certificate if there is one: $isKnown", async ({ tls, isKnown }) => {
    await using broker = await startBroker();

    const socket = await connectSocket({ tls, idleMs: 5_000 })(`127.0.0.1:${broker.port}`, { signal });

    expect(await broker.seen).toBe(isKnown);
    socket.destroy();
  });
});
