import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a connection is waited for that has brought no request yet: one may be on its way. */
const firstRequestMs = 1_000;

/** How long requests under way have when the server closes. */
const graceMs = 10_000;

/**
 * Bounds how long closing a server takes. Node waits for connections that have never brought a request as long as for a request
 * that is under way; a client that vanishes after the handshake of TLS would be waited for until its time-outs. Nor does Node end
 * the connection of a request that was under way once it is answered, so its client would be waited for as well.
 */
export function boundClosing(app: FastifyInstance): void {
  const open = new Set<Socket>();
  const fresh = new Map<string, Socket>();
  app.server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    open.add(socket);
    fresh.set(name, socket);
    socket.once("close", () => {
      open.delete(socket);
      if (fresh.get(name) === socket) fresh.delete(name);
    });
  });
  const underWay = new Set<ServerResponse>();
  let isClosing = false;
  app.addHook("onRequest", ({ raw }, { raw: answer }, done) => {
    if (fresh.size > 0) fresh.delete(nameOf(raw.socket));
    underWay.add(answer);
    answer.once("close", () => {
      underWay.delete(answer);
      if (isClosing) app.server.closeIdleConnections();
    });
    done();
  });
  const timers: NodeJS.Timeout[] = [];
  app.addHook("preClose", (done) => {
    isClosing = true;
    for (const answer of underWay) answer.shouldKeepAlive = false; // so it says that its connection ends
    const cut = (sockets: Iterable<Socket>) => {
      for (const socket of sockets) socket.destroy();
    };
    timers.push(
      setTimeout(() => cut(fresh.values()), firstRequestMs),
      setTimeout(() => cut(open), graceMs),
    );
    done();
  });
  app.addHook("onClose", async () => {
    for (const timer of timers) clearTimeout(timer);
  });
}

/** What a connection and the one of TLS within it have in common. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}
