import type { FastifyRequest } from "fastify";
import type { ServedRegistry } from "../http/served-registry.ts";

/** What signing in and out of a page needs of its request. */
export function requestContext(registry: ServedRegistry, { ip, headers }: FastifyRequest) {
  const request = { ip, userAgent: headers["user-agent"] ?? "" };
  const passwords = registry.passwords.of(() => ip);
  return { ...registry, passwords, request, now: registry.ports.clock.now() };
}
