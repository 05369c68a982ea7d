import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { cutStalledBodies } from "./stalled-bodies.ts";

const idleMs = 60;

async function start() {
  const app = fastify({ forceCloseConnections: true });
  cutStalledBodies(app, idleMs);
  app.post("/slow-answer", async () => {
    await delay(3 * idleMs);
    return "done";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const send = (body: string) => {
    const socket = connect(port, "127.0.0.1");
    const headers = "Host: x\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 10";
    socket.write(`POST /slow-answer HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    return socket;
  };
  return { send, [Symbol.asyncDispose]: () => app.close() };
}

describe("cutStalledBodies", () => {
  it("closes a connection whose body stalls", async () => {
    await using server = await start();
    const socket = server.send("half").on("error", () => {});

    await once(socket.resume(), "close");

    expect(socket.bytesRead).toBe(0);
  });

  it("lets a client wait that has sent its whole body", async () => {
    await using server = await start();

    expect(await text(server.send("0123456789"))).toMatch(/^HTTP\/1.1 200 .*done$/s);
  });
});
