import { Agent, type Dispatcher, ProxyAgent } from "undici";

/** How servers are spoken to. */
export interface DispatcherOptions {
  readonly proxy: string | undefined;
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
  return proxy === undefined ? new Agent(limits) : new ProxyAgent({ uri: proxy, ...limits });
}
