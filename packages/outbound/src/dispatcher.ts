import type { Dispatcher } from "undici";
import { type GuardedPolicy, guardedConnector, refusedHost } from "./guarded-connector.ts";
import type { ProxySettings } from "./proxy-settings.ts";

/**
 * Which addresses may be connected to: all of them, for what the operator configured (`trusted`), or those that a guard
 * permits, for everything that a client may name.
 */
export type OutboundPolicy = "trusted" | GuardedPolicy;

/** TLS with one host. */
export interface HostTls {
  /** Certificates to trust in place of the platform's list: PEM. */
  readonly ca?: string | readonly string[];
  /** The certificate that this client shows, with its chain, and the key of it: PEM. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
  /** Whether the certificate of the host is verified; it is where absent. */
  readonly isVerified?: boolean;
}

/** Options of connections. */
export interface DispatcherOptions {
  readonly policy: OutboundPolicy;
  readonly proxy?: ProxySettings | undefined;
  /**
   * TLS with a host, which is given with its port. Connections are shared by hosts for which the same object is given, so make
   * each object once. The platform's certificates and no client certificate where absent.
   */
  readonly tls?: (host: string) => HostTls;
  /** A Unix socket that every connection is made to, whatever host a URL names: for `trusted` requests without a proxy. */
  readonly socketPath?: string;
  /** Until a connection stands, in milliseconds. */
  readonly connectMs: number;
  /** Between two pieces of an answer, in milliseconds. */
  readonly idleMs: number;
}

const usualTls: HostTls = {};

/** Connections that close together. Each request, and each redirect that `fetch` follows, goes by the rules of its own host. */
export interface Dispatchers {
  forHost(host: string): Dispatcher;
  /** For `fetch`, which takes one for all redirects. */
  readonly byOrigin: Dispatcher;
  close(): Promise<void>;
}

/** Opens the connections of one client. */
export async function openDispatchers(options: DispatcherOptions): Promise<Dispatchers> {
  const undici = await import("./undici-parts.ts"); // not loaded before the first request
  const { tls = () => usualTls } = options;
  const opened = new Map<HostTls, Dispatcher>();
  const forHost = (host: string): Dispatcher => {
    const found = tls(host);
    const dispatcher = opened.get(found) ?? openDispatcher(options, found, undici);
    opened.set(found, dispatcher);
    return dispatcher;
  };
  class ByOrigin extends undici.Dispatcher {
    override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      return forHost(new URL(request.origin ?? "").host).dispatch(request, handler);
    }
  }
  return {
    forHost,
    byOrigin: new ByOrigin(),
    close: async () => {
      for (const dispatcher of opened.values()) await dispatcher.destroy();
    },
  };
}

/**
 * What goes through a proxy is resolved and connected to there, so only an address that stands in the URL itself can be checked:
 * where the names of internal hosts lead is the proxy's to guard.
 */
function openDispatcher(
  { policy, proxy, socketPath, connectMs: timeout, idleMs }: DispatcherOptions,
  { ca, clientCertificate, isVerified = true }: HostTls,
  { Agent, buildConnector, EnvHttpProxyAgent }: typeof import("./undici-parts.ts"),
): Dispatcher {
  const idle = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const tls = {
    timeout,
    ...(socketPath !== undefined && { socketPath }),
    ...(ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
    ...(clientCertificate !== undefined && { cert: clientCertificate.certificate, key: clientCertificate.key }),
    ...(!isVerified && { rejectUnauthorized: false }),
  };
  const connect = policy === "trusted" ? tls : guardedConnector(policy, tls, buildConnector);
  if (proxy === undefined) return new Agent({ connect, ...idle });
  const agent = new EnvHttpProxyAgent({
    connect,
    ...idle,
    proxyTls: { timeout },
    requestTls: tls,
    // Empty text keeps undici from looking into the environment itself.
    httpProxy: proxy.httpProxy ?? "",
    httpsProxy: proxy.httpsProxy ?? "",
    noProxy: ["localhost", "127.0.0.1", "::1", proxy.noProxy ?? ""].join(","),
  });
  return agent.compose((dispatch) => (request, handler) => {
    const refused = policy === "trusted" ? undefined : refusedHost(policy, new URL(request.origin ?? "").hostname);
    if (refused !== undefined) throw refused;
    return dispatch({ ...request, ...idle }, handler); // a proxy for plain HTTP is not told of the agent's own limits
  });
}
