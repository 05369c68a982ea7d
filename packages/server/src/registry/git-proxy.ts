import { isIP } from "node:net";
import { addressGuard, type OutboundPolicy, startTunnels } from "@plimsoll/outbound";
import type { GitOptions } from "@plimsoll/registry-api";
import type { OutgoingOptions } from "./outgoing.ts";

/** What one reading of a git repository may fetch: as much as an archive may have. */
const maxBytes = 1024 ** 3;

/**
 * What git connects through: to no internal address that is not allowed. Where the installation has a proxy, that connects, and only addresses that
 * stand in the URL itself are checked before.
 */
export function gitProxy({ allowedInternalHosts, onRefused, proxy, lookup }: OutgoingOptions): GitOptions["openProxy"] {
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  const guarded: OutboundPolicy = { guard, onRefused, ...(lookup && { lookup }) };
  const policyOf = (hostname: string) => (names.has(hostname.toLowerCase()) ? "trusted" : guarded);
  const usual = proxy?.httpsProxy;
  if (usual !== undefined) return async () => ({ url: usual, [Symbol.asyncDispose]: async () => {} });
  return () => startTunnels({ policyOf, maxBytes });
}
