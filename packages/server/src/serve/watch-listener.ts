import type { Server } from "node:net";
import type { Logger } from "pino";

/** Options of {@link watchListener}. */
export interface ListenerOptions {
  readonly logger: Pick<Logger, "warn" | "fatal">;
  /** The setting of the port, for the log: `port`, `healthPort`. */
  readonly setting: string;
  readonly clock: { now(): number };
  /** Called for each connection that could not be accepted. */
  readonly noteNotAccepted: () => void;
  /** Called if the port is lost, so that no connection will be accepted any more. */
  readonly onLost: (error: Error) => void;
}

/** Connections that cannot be accepted come in crowds: the log has a line in this time. */
const quietMs = 10_000;

/**
 * Watches a server for errors of accepting connections, which would end the process. If there are no more descriptors or buffers, or a
 * client has gone, later connections are accepted again. After any other error the port is lost.
 */
export function watchListener(
  server: Server,
  { logger, setting, clock, noteNotAccepted, onLost }: ListenerOptions,
): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (error.syscall !== "accept") return; // listening reports its own errors
    if (!passing.has(error.code ?? "")) {
      logger.fatal({ setting, reason: error.message }, "port_lost");
      return onLost(error);
    }
    noteNotAccepted();
    const at = clock.now();
    if (at - toldAt < quietMs) return;
    toldAt = at;
    logger.warn({ setting, reason: error.message }, "connections_not_accepted");
  });
}

/** Errors of `accept` after which a server can go on. @see https://man7.org/linux/man-pages/man2/accept.2.html#ERRORS */
const passing: ReadonlySet<string> = new Set([
  ...["EAGAIN", "ECONNABORTED", "EINTR", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EPERM"],
  // Errors of the network that Linux reports when it accepts.
  ...[
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "ENETDOWN",
    "ENETUNREACH",
    "ENONET",
    "ENOPROTOOPT",
    "EOPNOTSUPP",
    "EPROTO",
    "ETIMEDOUT",
  ],
]);
