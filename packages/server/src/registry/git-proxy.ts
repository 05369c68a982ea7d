import { startTunnels } from "@plimsoll/outbound";
import type { GitOptions } from "@plimsoll/registry-adapters/builds";
import { type OutgoingOptions, outgoingPolicy } from "./outgoing-policy.ts";

/** How much one clone of a git repository may fetch: as much as an archive may have. */
const maxBytes = 1024 ** 3;

/**
 * The proxy for git. It refuses internal addresses that are not allowed, also when git follows a redirect. If the installation has a
 * proxy, the connections go through it. Then only IP addresses are checked, because that proxy resolves the names.
 */
export function gitProxy(options: OutgoingOptions): GitOptions["openProxy"] {
  const policy = outgoingPolicy(options);
  return () => startTunnels({ policyOf: () => policy, maxBytes, proxy: options.proxy });
}
