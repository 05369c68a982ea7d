import type { Dispatcher } from "undici";
import { type GuardedPolicy, guardedConnector, refusedHost } from "./guarded-connector.ts";
import type { ProxySettings } from "./proxy-settings.ts";

/**
 * Which addresses may be connected to: all of them, for what the operator configured (`trusted`), or those that a guard
 * permits, for everything that a client may name.
 */
export type OutboundPolicy = "trusted" | GuardedPolicy;

/** How connections are made. */
export interface DispatcherOptions {
  readonly policy: OutboundPolicy;
  readonly proxy?: ProxySettings | undefined;
  /** Certificates to trust in place of the platform's list: PEM. */
  readonly ca?: string | undefined;
  /** Whether certificates of servers are verified; they are where absent. */
  readonly verifiesCertificates?: boolean;
  /** Until a connection stands, in milliseconds. */
  readonly connectMs: number;
  /** Between two pieces of an answer, in milliseconds. */
  readonly idleMs: number;
}

/**
 * Opens the connections of one client. What goes through a proxy is resolved and connected to there, so only an address that
 * stands in the URL itself can be checked: where the names of internal hosts lead is the proxy's to guard.
 */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { Agent, buildConnector, EnvHttpProxyAgent } = await import("./undici-parts.ts"); // not loaded before the first request
  const { policy, proxy, ca, verifiesCertificates = true, connectMs: timeout, idleMs } = options;
  const idle = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const tls = {
    timeout,
    ...(ca !== undefined && { ca }),
    ...(!verifiesCertificates && { rejectUnauthorized: false }),
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
