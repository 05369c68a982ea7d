import { requestOrigin } from "@plimsoll/http";
import type { Origin, RegistrySettings } from "@plimsoll/registry/settings";
import type { FastifyRequest } from "fastify";

/** The settings with the host names of the registry. */
type NameSettings = Pick<RegistrySettings, "host" | "hosts" | "scheme">;

/**
 * The origin at which the client of a request reaches the registry, for addresses in the response. It has the host of the request (or
 * of its trusted proxy) if that is one of the registry's host names, otherwise the registry's own. Never use it in texts that other
 * users read later, such as mail: a client can send any host.
 */
export function effectiveOrigin(
  request: Pick<FastifyRequest, "protocol" | "host" | "ip">,
  settings: NameSettings,
): Origin {
  const { scheme, host } = requestOrigin(request);
  return {
    scheme: settings.scheme === "https" ? "https" : scheme,
    host: host !== undefined && isNameOf(settings, host) ? host : settings.host,
  };
}

function isNameOf({ host: own, hosts }: NameSettings, host: string): boolean {
  if (hosts === "any") return true;
  const name = host.toLowerCase();
  return name === own.toLowerCase() || hosts.includes(name);
}
