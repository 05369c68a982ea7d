import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { type CutReason, limitHttp2 } from "./http2-budget.ts";
import { shunnedNetworks } from "./shunned-networks.ts";
import type { TrustsAddress } from "./trusted-proxies.ts";

/** Options of {@link limitConnections}. */
export interface ConnectionLimitOptions {
  readonly logger: Pick<FastifyBaseLogger, "warn">;
  readonly noteCut: (reason: CutReason | "shunned") => void;
  /** Which peers are trusted proxies: their connections are cut, too, but they may open others at once. */
  readonly trusts?: TrustsAddress | undefined;
}

/**
 * Cuts HTTP/2 connections whose clients waste the server's work, and refuses further connections of their networks for a while, before
 * the TLS handshake.
 */
export function limitConnections(
  { server }: Pick<FastifyInstance, "server">,
  { logger, noteCut, trusts }: ConnectionLimitOptions,
): Disposable {
  const shunned = shunnedNetworks();
  server.prependListener("connection", (socket: Socket) => {
    if (!shunned.isShunned(socket.remoteAddress ?? "")) return;
    noteCut("shunned");
    socket.destroy();
  });
  return limitHttp2(server as unknown as Http2Server, {
    onCut(cut) {
      noteCut(cut.reason);
      logger.warn(cut, "connection_cut");
      if (!trusts?.(cut.address)) shunned.note(cut);
    },
  });
}
