import type { FastifyRequest } from "fastify";

/** Where a client has found the server. */
export interface RequestOrigin {
  readonly scheme: "http" | "https";
  /** `HOST` or `HOST:PORT` as the client names it; undefined where the request says nothing that can be one. */
  readonly host: string | undefined;
  /** The client's address. */
  readonly ip: string;
}

const hostPattern = /^(?:[a-z0-9][a-z0-9._-]{0,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Where the client of a request has found the server, and from where: of the request itself, or of `X-Forwarded-*` and
 * `Forwarded` where a trusted proxy says so. Fastify's `trustProxy` decides which those are.
 * @example
 * requestOrigin({ protocol: "https", host: "registry.example:8443", ip: "192.0.2.7" }).host; // "registry.example:8443"
 * requestOrigin({ protocol: "http", host: "<script>", ip: "192.0.2.7" }).host; // undefined
 */
export function requestOrigin({ protocol, host, ip }: Pick<FastifyRequest, "protocol" | "host" | "ip">): RequestOrigin {
  return { scheme: protocol === "https" ? "https" : "http", host: hostPattern.test(host) ? host : undefined, ip };
}
