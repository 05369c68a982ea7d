import { connect } from "node:net";
import type { Transport } from "@connectrpc/connect";

/** How a gRPC service of this machine is reached. */
export interface GrpcSocketOptions {
  /** The Unix socket that every connection is made to. */
  readonly socketPath: string;
  /** After so long without a byte the service is asked whether it is still there, in milliseconds. */
  readonly idleMs: number;
  /** Of one message. */
  readonly maxMessageBytes: number;
}

/** Calls of one service. Disposing ends those that run, and closes the connection. */
export interface GrpcSocket extends AsyncDisposable {
  /** For the clients of the service's interfaces. */
  readonly transport: Transport;
}

/** What may be under way before it is read: with the protocol's own 64 KB, much of the time goes into waiting. */
const windowBytes = 1024 * 1024;

/**
 * Opens the calls of a gRPC service that answers on a Unix socket. Nothing is connected before the first call.
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
