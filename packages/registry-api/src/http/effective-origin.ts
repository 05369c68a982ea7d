import { requestOrigin } from "@plimsoll/http";
import type { FastifyRequest } from "fastify";
import type { Origin, RegistrySettings } from "../settings.ts";

/** The settings that say under which names the registry is found. */
type NameSettings = Pick<RegistrySettings, "host" | "hosts" | "scheme">;

/**
 * Where the client of a request finds the registry, so that the addresses in its answer lead back here: the host that the request names
 * (or its trusted proxy), where that is a name of the registry's; the registry's own otherwise. It is never for what others read later,
 * such as mail: a client can send any host.
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
