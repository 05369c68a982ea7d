import { isIP } from "node:net";
import { addressGuard, type OutboundPolicy, startTunnels } from "@plimsoll/outbound";
import type { GitOptions } from "@plimsoll/registry-api";
import type { OutgoingOptions } from "./outgoing.ts";

/** How much one clone of a git repository may fetch: as much as an archive may have. */
const maxBytes = 1024 ** 3;

/**
 * The proxy for git. It refuses internal addresses that are not allowed, also when git follows a redirect. If the installation has a
 * proxy, the connections go through it. Then only IP addresses are checked, because that proxy resolves the names.
 */
export function gitProxy({ allowedInternalHosts, onRefused, proxy, lookup }: OutgoingOptions): GitOptions["openProxy"] {
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  const guarded: OutboundPolicy = { guard, onRefused, ...(lookup && { lookup }) };
  const policyOf = (hostname: string) => (names.has(hostname.toLowerCase()) ? "trusted" : guarded);
  return () => startTunnels({ policyOf, maxBytes, proxy });
}
