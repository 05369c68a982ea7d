import { randomBytes, timingSafeEqual } from "node:crypto";
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { OutboundPolicy } from "./dispatcher.ts";
import { guardedLookup, refusedHost } from "./guarded-connector.ts";

/** How a program of its own may connect. */
export interface TunnelOptions {
  /** By the name of the host that is connected to. */
  readonly policyOf: (hostname: string) => OutboundPolicy;
  /** What may come through all connections together, in bytes. */
  readonly maxBytes: number;
  /** The proxy that all connections go through. It resolves names, so the policy checks only addresses. Absent: connections are direct. */
  readonly proxy?: string | undefined;
}

/** A proxy of this process on the loopback address. Disposing ends it and every connection through it. */
export interface Tunnels extends AsyncDisposable {
  /** With the password that it asks for. */
  readonly url: string;
}

/**
 * Starts a proxy for a program that connects by itself: it passes TLS through (`CONNECT`) and nothing else. The address that the policy checks is the
 * one that is connected to, at every connection.
 * @example
 * await using tunnels = await startTunnels({ policyOf: () => ({ guard: addressGuard() }), maxBytes: 1024 ** 3 });
 * const environment = { https_proxy: tunnels.url };
 */
export async function startTunnels({ policyOf, maxBytes, proxy }: TunnelOptions): Promise<Tunnels> {
  const password = randomBytes(24).toString("base64url");
  const expected = Buffer.from(`Basic ${Buffer.from(`tunnel:${password}`).toString("base64")}`);
  const sockets = new Set<Duplex>();
  let left = maxBytes;
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", ({ url = "", headers }, near) => {
    keep(near);
    if (!isExpected(headers["proxy-authorization"], expected)) return refuse(near, 407);
    const target = URL.parse(`https://${url}`);
    const port = Number(target?.port || 443);
    if (target === null) return refuse(near, 403);
    const hostname = target.hostname.replace(/^\[|\]$/g, "");
    const lookup = lookupOf(policyOf(hostname), hostname);
    if (lookup === "refused") return refuse(near, 403);
    const upstream = proxy === undefined ? undefined : new URL(proxy);
    const far = upstream ? connectToProxy(upstream) : connect({ host: hostname, port, ...(lookup && { lookup }) });
    keep(far);
    far.once(upstream?.protocol === "https:" ? "secureConnect" : "connect", () => {
      if (upstream)
        far.write(tunnelRequest(upstream, `${target.hostname}:${port}`)); // its answer is passed on
      else near.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      near.pipe(far);
      far.pipe(near);
    });
    far.on("data", (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left < 0) end(near, far);
    });
    far.once("error", () => (far.connecting || far.bytesRead === 0 ? refuse(near, 502) : near.destroy()));
    near.once("close", () => far.destroy());
  });
  await new Promise<void>((listening, failed) =>
    server.once("error", failed).listen(0, "127.0.0.1", () => listening()),
  );
  return {
    url: `http://tunnel:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** How the name is looked up; `refused` where the host is an address that the policy does not permit. */
function lookupOf(policy: OutboundPolicy, hostname: string): LookupFunction | "refused" | undefined {
  if (policy === "trusted") return undefined;
  return refusedHost(policy, hostname) === undefined ? guardedLookup(policy) : "refused";
}

function connectToProxy({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") return connect({ host, port: Number(port || 80) });
  return connectTls({ host, port: Number(port || 443), ...(isIP(host) === 0 && { servername: host }) });
}

function tunnelRequest({ username, password }: URL, target: string): string {
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const authorization = username === "" ? "" : `Proxy-Authorization: Basic ${credentials}\r\n`;
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`;
}

function isExpected(given: string | undefined, expected: Uint8Array): boolean {
  const bytes = Buffer.from(given ?? "");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function refuse(near: Duplex, status: number): void {
  const ask = status === 407 ? 'Proxy-Authenticate: Basic realm="tunnel"\r\n' : "";
  near.end(`HTTP/1.1 ${status} Refused\r\n${ask}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function end(near: Duplex, far: Socket): void {
  near.destroy();
  far.destroy();
}
