import { isIP } from "node:net";
import { parseImageReference } from "@plimsoll/core";
import { fixedCredential, openRemoteRepository } from "@plimsoll/indexer";
import { addressGuard, type ProxySettings } from "@plimsoll/outbound";
import type { Upstreams } from "@plimsoll/registry-api";
import type { OutgoingOptions } from "./outgoing.ts";

/**
 * Opens repositories of other registries on behalf of tenants: none at an internal address that is not allowed, neither when a
 * tenant names it nor where a redirect or a token service leads.
 */
export function guardedUpstreams(options: OutgoingOptions): Upstreams {
  const { allowedInternalHosts, onRefused, proxy: usualProxy, lookup } = options;
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  return {
    async open({ host, path, login, verifiesTls, proxy }) {
      const isNamed = names.has(host.replace(/:\d+$/, "").toLowerCase());
      const { registry, repository } = parseImageReference(`${host}/${path}:latest`);
      const used: ProxySettings | undefined = proxy ?? usualProxy;
      return openRemoteRepository(
        { registry, repository },
        {
          policy: isNamed ? "trusted" : { guard, onRefused, ...(lookup && { lookup }) },
          insecure: verifiesTls ? [] : [host],
          ...(login && { credentials: fixedCredential(registry, { kind: "basic", ...login }) }),
          ...(used && { proxy: used }),
        },
      );
    },
  };
}
