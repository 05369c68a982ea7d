import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { notesOf } from "@plimsoll/http";
import { describe, expect, it } from "vitest";
import { OpenBodies } from "./slow-bodies.ts";

const pace = { stallSeconds: 60, leastBytesPerSecond: 250 };

const transports = ["HTTP/1.1", "HTTP/2"] as const;

/** Begins a request with a body, which the server reads or leaves. */
async function begin(transport: (typeof transports)[number], read: (request: IncomingMessage) => void) {
  let now = 0;
  const bodies = new OpenBodies(pace, () => now);
  const asked = Promise.withResolvers<IncomingMessage>();
  const listener = (request: IncomingMessage, response: never) => {
    bodies.follow(request, response);
    request.on("error", () => {});
    read(request);
    asked.resolve(request);
  };
  const server = transport === "HTTP/1.1" ? createServer(listener as never) : createHttp2Server(listener as never);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = transport === "HTTP/1.1" ? overHttp(port) : overHttp2(port);
  const request = await asked.promise;
  let received = 0;
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null) => {
    received += chunk?.length ?? 0;
    return push(chunk);
  };
  const send = async (bytes: number) => {
    const wanted = received + bytes;
    client.write(Buffer.alloc(bytes));
    await expect.poll(() => received, { interval: 1 }).toBe(wanted);
  };
  const wait = (seconds: number) => {
    for (let each = 0; each < seconds; each++) {
      now += 1_000;
      bodies.check();
    }
  };
  const close = () => {
    client.destroy();
    server.close();
  };
  const source = "stream" in request ? (request.stream as Duplex) : request;
  const unreadBytes = () => source.readableLength;
  return { bodies, client, request, unreadBytes, send, wait, [Symbol.dispose]: close };
}

function overHttp(port: number): Duplex {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n");
  return socket;
}

function overHttp2(port: number): Duplex {
  const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
  const stream = session.request({ ":path": "/", ":method": "POST" }).on("error", () => {});
  stream.once("close", () => session.destroy());
  return stream;
}

describe.each(transports)("OpenBodies over %s", (transport) => {
  it("cuts a client that sends one byte in two seconds", async () => {
    using body = await begin(transport, (request) => request.resume());
    const closed = once(body.client.resume(), "close").catch(() => {});

    for (let each = 0; each < 31; each++) {
      if (body.bodies.figures().cut === 0) await body.send(1);
      body.wait(2);
    }

    expect(body.bodies.figures()).toEqual({ open: 0, cut: 1 });
    expect(notesOf(body.request)).toEqual({ cut: "slow_body" });
    await closed;
  });

  it("keeps a client that sends 10 KB a second, and pauses", async () => {
    using body = await begin(transport, (request) => request.resume());

    for (let each = 0; each < 30; each++) {
      await body.send(10_000);
      body.wait(1);
    }
    body.wait(59);

    expect(body.bodies.figures()).toEqual({ open: 1, cut: 0 });
  });

  it("does not charge a client for what the server does not read", async () => {
    using body = await begin(transport, () => {});
    body.client.write(Buffer.alloc(1_000));
    await expect.poll(body.unreadBytes).toBe(1_000);

    body.wait(600);

    expect(body.bodies.figures()).toEqual({ open: 1, cut: 0 });
  });
});
