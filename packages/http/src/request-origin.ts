import type { FastifyRequest } from "fastify";

/** The scheme, host and client address of a request. */
export interface RequestOrigin {
  readonly scheme: "http" | "https";
  /** The `HOST` or `HOST:PORT` that the client used; undefined if the request has no valid one. */
  readonly host: string | undefined;
  /** The client's address. */
  readonly ip: string;
}

const hostPattern = /^(?:[a-z0-9][a-z0-9._-]{0,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The scheme and host that a client used, and its address: from the request itself, or from the `X-Forwarded-*` headers of proxies that
 * Fastify's `trustProxy` trusts.
 * @example
 * requestOrigin({ protocol: "https", host: "registry.example:8443", ip: "192.0.2.7" }).host; // "registry.example:8443"
 * requestOrigin({ protocol: "http", host: "<script>", ip: "192.0.2.7" }).host; // undefined
 */
export function requestOrigin({ protocol, host, ip }: Pick<FastifyRequest, "protocol" | "host" | "ip">): RequestOrigin {
  return { scheme: protocol === "https" ? "https" : "http", host: hostPattern.test(host) ? host : undefined, ip };
}
