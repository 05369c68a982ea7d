import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long to wait for the first request of a connection: it may be on its way. */
const firstRequestMs = 1_000;

/** How long running requests may take when the server closes. */
const graceMs = 10_000;

/**
 * Bounds how long closing a server takes. Node treats a connection without a request like a running request: it would wait for a client
 * that vanished after the TLS handshake until the timeouts. Node also keeps the connection of a running request open after the response,
 * and would wait for its client, too.
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
    for (const answer of underWay) answer.shouldKeepAlive = false; // sends `connection: close`
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

/** Identifies a connection: a TLS socket and the TCP socket below it have the same name. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}
