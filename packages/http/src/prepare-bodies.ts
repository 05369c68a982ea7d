import type { Http2Session } from "node:http2";
import type { FastifyInstance } from "fastify";
import { holdExpectations } from "./expect-continue.ts";
import { readBodiesOfUnknownLength } from "./has-body.ts";
import { stopRefusedBodies } from "./refused-bodies.ts";

/**
 * Makes a Fastify instance treat request bodies as the APIs need it: those of HTTP/2 without a length are read, a client that
 * waits with one is told to send it once it is admitted, what is refused is not read to its end, and a client that sends
 * nothing more after its request is answered. To be called once, by the owner of the instance.
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * prepareBodies(app);
 * registerApi(app, api);
 */
export function prepareBodies(app: FastifyInstance): void {
  Object.assign(app.server, { httpAllowHalfOpen: true });
  holdExpectations(app);
  readBodiesOfUnknownLength(app);
  stopRefusedBodies(app);
  endLeftSessions(app);
}

/**
 * A server that answers clients which send nothing more after their request keeps their connections half open. No HTTP/2
 * client sends so: a client that ends its connection has left, and its requests would wait for the rest of their bodies forever.
 */
function endLeftSessions(app: FastifyInstance): void {
  app.server.on("session", (session: Http2Session) => {
    if (session.socket.readableEnded) session.destroy();
    else session.socket.once("end", () => session.destroy());
  });
}
