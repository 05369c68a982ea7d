import type { FastifyRequest } from "fastify";
import type { ServedRegistry } from "../http/served-registry.ts";

/** The context in which a page signs users in and out. */
export function requestContext(registry: ServedRegistry, { ip, headers }: FastifyRequest) {
  const request = { ip, userAgent: headers["user-agent"] ?? "" };
  const passwords = registry.passwords.of(() => ip);
  return { ...registry, passwords, request, now: registry.clock.now() };
}
