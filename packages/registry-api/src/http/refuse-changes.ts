import type { FastifyRequest } from "fastify";
import type { RegistrySettings } from "../settings.ts";
import { checkWritable } from "./read-only.ts";

/**
 * A hook that refuses requests that are no reading while the registry is read-only. Paths that are spared change only who is signed
 * in, which whoever reads needs.
 */
export function refuseChanges(settings: RegistrySettings, spared: readonly string[] = []) {
  return async ({ method, routeOptions: { url = "" } }: FastifyRequest): Promise<void> => {
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead && !spared.includes(url)) checkWritable(settings);
  };
}
