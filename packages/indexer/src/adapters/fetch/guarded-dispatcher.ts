import { isIP } from "node:net";
import type { Dispatcher } from "undici";
import type { ProxySettings } from "../registry/http-client.ts";
import { type ConnectorOptions, guardedConnector, refuse } from "./guarded-connector.ts";

/** How guarded requests are sent. */
export interface GuardedDispatcherOptions extends ConnectorOptions {
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  readonly proxy?: ProxySettings;
}

/**
 * Sends requests to permitted addresses only. What goes through a proxy is resolved and connected to there, so only an
 * address that stands in the URL itself can be checked: where the names of internal hosts lead is the proxy's to guard.
 */
export async function openGuardedDispatcher(options: GuardedDispatcherOptions): Promise<Dispatcher> {
  const { Agent, buildConnector, EnvHttpProxyAgent } = await import("./http-parts.ts"); // loaded by those who ask for something
  const { proxy, idleMs, timeoutMs: timeout, ca } = options;
  const idle = { headersTimeout: idleMs, bodyTimeout: idleMs };
  const direct = { connect: guardedConnector(options, buildConnector), ...idle };
  if (proxy === undefined) return new Agent(direct);
  const agent = new EnvHttpProxyAgent({
    ...direct,
    proxyTls: { timeout },
    requestTls: { timeout, ...(ca !== undefined && { ca }) },
    // Empty text keeps undici from looking into the environment itself.
    httpProxy: proxy.httpProxy ?? "",
    httpsProxy: proxy.httpsProxy ?? "",
    noProxy: ["localhost", "127.0.0.1", "::1", proxy.noProxy ?? ""].join(","),
  });
  return agent.compose((dispatch) => (request, handler) => {
    const host = new URL(request.origin ?? "").hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !options.guard.permits(host)) throw refuse(options, host, [host]);
    return dispatch({ ...request, ...idle }, handler); // a proxy for plain HTTP is not told of the agent's own limits
  });
}
