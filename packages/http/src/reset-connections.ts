import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** The part of a socket that asks the system for the other end. `remoteAddress` remembers what it was. */
interface SystemSocket {
  readonly _handle?: { readonly getpeername?: (found: object) => number } | null;
}

/**
 * Closes connections that their clients have reset. On Node 24, a reset that arrives together with the request is told as the end of the client's side, and a
 * client that only closes its side is still answered. The system tells them apart: a connection that was reset has no other end.
 */
export function endResetConnections({ server }: Pick<FastifyInstance, "server">): void {
  for (const event of ["connection", "secureConnection"]) {
    server.on(event, (socket: Socket) => {
      socket.once("end", () => {
        if (hasNoOtherEnd(socket)) socket.destroy();
      });
    });
  }
}

/** Whether a connection was reset, so that nothing can be sent on it. It is known even while nothing is read from the connection. */
export function hasNoOtherEnd(socket: Socket): boolean {
  const { _handle: handle } = socket as SystemSocket;
  return (handle?.getpeername?.({}) ?? 0) !== 0;
}
