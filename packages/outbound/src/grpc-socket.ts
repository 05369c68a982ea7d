import { connect } from "node:net";
import type { Transport } from "@connectrpc/connect";

/** Options of {@link openGrpcSocket}. */
export interface GrpcSocketOptions {
  /** The Unix socket of the service. */
  readonly socketPath: string;
  /** After this time without data, a ping checks whether the service still answers. */
  readonly idleMs: number;
  /** The size limit of one message. */
  readonly maxMessageBytes: number;
}

/** A connection to a gRPC service. Disposing aborts running calls and closes it. */
export interface GrpcSocket extends AsyncDisposable {
  /** For the clients of the service's interfaces. */
  readonly transport: Transport;
}

/** The flow-control window. With the default of 64 KB, much of the time is spent waiting. */
const windowBytes = 1024 * 1024;

/**
 * Opens a connection to a gRPC service on a Unix socket. It connects at the first call.
 *
 * @example
 * await using socket = await openGrpcSocket({ socketPath: "/run/service.sock", idleMs: 30_000, maxMessageBytes: 16e6 });
 */
export async function openGrpcSocket({ socketPath, idleMs, maxMessageBytes }: GrpcSocketOptions): Promise<GrpcSocket> {
  const { createGrpcTransport, Http2SessionManager } = await import("@connectrpc/connect-node");
  const baseUrl = "http://localhost"; // a Unix socket has no host
  const sessionManager = new Http2SessionManager(
    baseUrl,
    { pingIntervalMs: idleMs },
    { createConnection: () => connect(socketPath), settings: { initialWindowSize: windowBytes } },
  );
  const limits = { acceptCompression: [], readMaxBytes: maxMessageBytes };
  return {
    transport: createGrpcTransport({ baseUrl, sessionManager, ...limits }),
    [Symbol.asyncDispose]: async () => sessionManager.abort(),
  };
}
