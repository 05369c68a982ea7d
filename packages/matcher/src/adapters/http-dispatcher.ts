import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { FeedProxy } from "./feed-reader.ts";

/** How servers are spoken to. */
export interface DispatcherOptions {
  readonly proxy: FeedProxy | undefined;
  readonly connectTimeoutSeconds: number;
  readonly idleTimeoutSeconds: number;
}

/** Connections for the documents of a feed. */
export function openDispatcher({ proxy, connectTimeoutSeconds, idleTimeoutSeconds }: DispatcherOptions): Dispatcher {
  const limits = {
    connect: { timeout: connectTimeoutSeconds * 1000 },
    headersTimeout: idleTimeoutSeconds * 1000,
    bodyTimeout: idleTimeoutSeconds * 1000,
  };
  if (proxy === undefined) return new Agent(limits);
  return new EnvHttpProxyAgent({
    ...limits,
    proxyTls: limits.connect,
    requestTls: limits.connect,
    // Empty text keeps undici from looking into the environment itself.
    httpProxy: proxy.httpProxy ?? "",
    httpsProxy: proxy.httpsProxy ?? "",
    noProxy: ["localhost", "127.0.0.1", "::1", proxy.noProxy ?? ""].join(","),
  });
}
