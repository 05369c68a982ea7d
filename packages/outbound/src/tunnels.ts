import { randomBytes, timingSafeEqual } from "node:crypto";
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { OutboundPolicy } from "./dispatcher.ts";
import { guardedLookup, refusedHost } from "./guarded-connector.ts";
import { isDirect, type ProxySettings } from "./proxy-settings.ts";

/** Options of {@link startTunnels}. */
export interface TunnelOptions {
  /** The policy for a host. */
  readonly policyOf: (hostname: string) => OutboundPolicy;
  /** The most bytes received through all connections together. */
  readonly maxBytes: number;
  /**
   * The proxies that connections go through, except those to hosts of `noProxy`: that of https, else that of http. A proxy resolves
   * names, so the policy checks only addresses. Absent: connections are direct.
   */
  readonly proxy?: ProxySettings | undefined;
}

/** A proxy in this process on the loopback address. Disposing closes it and all its connections. */
export interface Tunnels extends AsyncDisposable {
  /** The proxy's URL, with its password. */
  readonly url: string;
}

/**
 * Starts a proxy for a program that opens its own connections. It tunnels TLS (`CONNECT`) and nothing else. The policy checks the address
 * that is connected to, at every connection.
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
  server.on("connect", ({ url = "", headers }, client) => {
    keep(client);
    if (!isExpected(headers["proxy-authorization"], expected)) return refuse(client, 407);
    const target = URL.parse(`https://${url}`);
    const port = Number(target?.port || 443);
    if (target === null) return refuse(client, 403);
    const hostname = target.hostname.replace(/^\[|\]$/g, "");
    const lookup = lookupOf(policyOf(hostname), hostname);
    if (lookup === "refused") return refuse(client, 403);
    const proxyUrl = proxyOf(proxy, { hostname, port });
    const remote = proxyUrl ? connectToProxy(proxyUrl) : connect({ host: hostname, port, lookup });
    keep(remote);
    remote.once(proxyUrl?.protocol === "https:" ? "secureConnect" : "connect", () => {
      if (proxyUrl)
        remote.write(tunnelRequest(proxyUrl, `${target.hostname}:${port}`)); // the client gets the proxy's answer
      else client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      client.pipe(remote);
      remote.pipe(client);
    });
    remote.on("data", (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left < 0) end(client, remote);
    });
    remote.once("error", () => (remote.connecting || remote.bytesRead === 0 ? refuse(client, 502) : client.destroy()));
    client.once("close", () => remote.destroy());
  });
  await new Promise<void>((listening, failed) => server.on("error", failed).listen(0, "127.0.0.1", () => listening()));
  return {
    url: `http://tunnel:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** The resolver for a host; `refused` if the host is an address that the policy does not permit. */
function lookupOf(policy: OutboundPolicy, hostname: string): LookupFunction | "refused" | undefined {
  if (policy === "trusted") return undefined;
  return refusedHost(policy, hostname) === undefined ? guardedLookup(policy) : "refused";
}

function proxyOf(proxy: ProxySettings | undefined, target: Parameters<typeof isDirect>[0]): URL | undefined {
  const url = proxy?.httpsProxy ?? proxy?.httpProxy;
  return url === undefined || isDirect(target, proxy?.noProxy) ? undefined : new URL(url);
}

function connectToProxy({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "https:") return connect({ host, port: Number(port || 80) });
  return connectTls({ host, port: Number(port || 443), servername: isIP(host) === 0 ? host : undefined });
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

function refuse(client: Duplex, status: number): void {
  const ask = status === 407 ? 'Proxy-Authenticate: Basic realm="tunnel"\r\n' : "";
  client.end(`HTTP/1.1 ${status} Refused\r\n${ask}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function end(client: Duplex, upstream: Socket): void {
  client.destroy();
  upstream.destroy();
}
