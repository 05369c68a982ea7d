import { execFileSync } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { expect, it } from "vitest";
import { prepareBodies } from "./prepare-bodies.ts";

/** Sends a request and leaves, while the server does nothing: so the request and the leaving arrive together. */
const client = `
  const [port, leave] = process.argv.slice(1);
  const socket = require("node:net").connect(Number(port), "127.0.0.1").on("error", () => {});
  socket.write("GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n", () => socket[leave]());
`;

async function open() {
  const app = fastify();
  prepareBodies(app);
  const asked = Promise.withResolvers<IncomingMessage>();
  app.get("/", (request, reply) => {
    reply.hijack();
    asked.resolve(request.raw);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { port, asked: asked.promise, [Symbol.asyncDispose]: () => app.close() };
}

it("closes a connection that was reset when its request arrived", async () => {
  await using server = await open();

  execFileSync(process.execPath, ["-e", client, `${server.port}`, "resetAndDestroy"]);

  const { socket } = await server.asked;
  await expect.poll(() => socket.destroyed).toBe(true);
});

it("keeps a connection whose client closed only its side", async () => {
  await using server = await open();
  const asking = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });

  asking.end("GET / HTTP/1.1\r\nhost: x\r\n\r\n");

  const { socket } = await server.asked;
  if (!socket.readableEnded) await once(socket, "end");
  expect(socket.destroyed).toBe(false);
  socket.destroy();
  asking.destroy();
});
