import type { Http2Session } from "node:http2";
import type { FastifyInstance } from "fastify";
import { holdExpectations } from "./expect-continue.ts";
import { readBodiesOfUnknownLength } from "./has-body.ts";
import { stopRefusedBodies } from "./refused-bodies.ts";
import { endResetConnections } from "./reset-connections.ts";

/**
 * Prepares a Fastify instance for the request bodies of the APIs. HTTP/2 bodies without a length are read. A client that waits for
 * `100 Continue` gets it after it is admitted. Bodies of rejected requests are not read to their end. A client that half-closes its
 * connection after a request is answered. Call it once for an instance.
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
  endResetConnections(app);
}

/**
 * Ends HTTP/2 sessions whose client has closed its side. Because of `httpAllowHalfOpen`, they would stay half open, and their requests
 * would wait for the rest of their bodies forever.
 */
function endLeftSessions(app: FastifyInstance): void {
  app.server.on("session", (session: Http2Session) => {
    if (session.socket.readableEnded) session.destroy();
    else session.socket.once("end", () => session.destroy());
  });
}
