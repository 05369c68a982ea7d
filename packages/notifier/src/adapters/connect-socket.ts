import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ConnectSocket } from "../transports/stomp.ts";

/** Options of {@link connectSocket}. */
export interface ConnectSocketOptions {
  /** Absent: no TLS. */
  readonly tls?: TlsOptions;
  /** How long to wait for data from the peer. */
  readonly idleMs: number;
}

/** Options of TLS connections, as PEM texts. Peers are always verified. */
export interface TlsOptions {
  /** The trusted certificate authorities instead of the system's. */
  readonly ca?: string;
  /** The client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Connects over TCP or TLS.
 * @example
 * const connect = connectSocket({ idleMs: 30_000, tls: {} });
 */
export function connectSocket({ tls, idleMs }: ConnectSocketOptions): ConnectSocket {
  return async (address, { signal }) => {
    signal.throwIfAborted();
    const place = parseAddress(address);
    const socket =
      tls === undefined
        ? connectPlain(place)
        : connectTls({ ...place, ...tls, servername: isIP(place.host) === 0 ? place.host : undefined });
    socket.setTimeout(idleMs, () => socket.destroy(new Error(`no data for ${idleMs} ms`)));
    signal.addEventListener("abort", () => socket.destroy(signal.reason), { once: true });
    await connected(socket, tls === undefined ? "connect" : "secureConnect");
    // Reads and writes report the error. Between them, this listener keeps it from ending the process.
    socket.on("error", () => {});
    return socket;
  };
}

function parseAddress(address: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined) throw new Error(`expected HOST:PORT, found ${address}`);
  return { host, port: Number(port) };
}

function connected(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once(event, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}
