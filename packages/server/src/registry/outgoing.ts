import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { addressGuard, type GuardedPolicy, openOutbound, type ProxySettings, startTunnels } from "@plimsoll/outbound";
import { invalidRequest } from "@plimsoll/registry";
import type { GitOptions } from "@plimsoll/registry-adapters/builds";
import type { GuardedRequests } from "@plimsoll/registry-adapters/outgoing";

const connectMs = 10_000;
const idleMs = 30_000;

/**
 * Sends requests to other hosts on behalf of clients. It refuses internal names and addresses, both when a client names them and when
 * the connection is made.
 */
export function openOutgoing(options: OutgoingOptions): GuardedRequests & AsyncDisposable {
  const { onRefused, proxy, lookup = systemLookup as LookupFunction } = options;
  const policy = outgoingPolicy(options);
  const { guard, trustedNames } = policy;
  const outbound = openOutbound({ policy, proxy, connectMs, idleMs });
  return {
    async check(host) {
      const name = host.replace(/^\[|\]$/g, "").toLowerCase();
      if (trustedNames.has(name)) return;
      if (isInternalName(name)) throw refused(host);
      const addresses = isIP(name) === 0 ? await resolve(name, lookup) : [name];
      if (addresses.length === 0 && proxy === undefined) throw invalidRequest(`${name}: there is no such host`);
      if (addresses.every((address) => guard.permits(address))) return;
      onRefused({ host, addresses });
      throw refused(host);
    },
    send: (url, init = {}) => outbound.fetch(url, init),
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

/** Names that by convention mean this host or its local network. */
function isInternalName(name: string): boolean {
  return (
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/.test(name) ||
    /(?:^|\.)kubernetes(?:\.default)?(?:\.svc)?(?:\.|$)/.test(name)
  );
}

/** The addresses of a name; none if it cannot be resolved. */
function resolve(name: string, lookup: LookupFunction): Promise<readonly string[]> {
  return new Promise((done) => {
    lookup(name, { all: true }, (error, found) => {
      done(error === null && Array.isArray(found) ? found.map(({ address }) => address) : []);
    });
  });
}

function refused(host: string) {
  return invalidRequest(`${host}: is not a host on the public internet; the configuration can allow it`);
}

/** The rules for outgoing requests on behalf of clients. */
export interface OutgoingOptions {
  /** Allowed addresses, networks such as `10.0.0.0/8`, and host names, besides the public internet. */
  readonly allowedInternalHosts: readonly string[];
  /** Called for each refused address: for the log, not for the client. */
  readonly onRefused: (refused: { readonly host: string; readonly addresses: readonly string[] }) => void;
  /** A proxy also resolves names that this machine cannot resolve. */
  readonly proxy?: ProxySettings | undefined;
  /** Resolves a host name; by default with the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** The policy of these rules. An allowed name allows the addresses of this name, and not what it redirects to. */
export function outgoingPolicy({ allowedInternalHosts, onRefused, lookup }: OutgoingOptions): AllowingPolicy {
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase());
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  return { guard, trustedNames: new Set(names), onRefused, lookup };
}

/** A policy with its names. */
type AllowingPolicy = GuardedPolicy & Required<Pick<GuardedPolicy, "trustedNames">>;

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
