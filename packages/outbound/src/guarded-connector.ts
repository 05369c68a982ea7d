import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ScanError } from "@plimsoll/core";
import type { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

/** The policy for hosts that clients can choose: connections are made only to addresses that the guard permits. */
export interface GuardedPolicy {
  readonly guard: AddressGuard;
  /** Names of hosts, in lower case, whose addresses are all permitted. A redirect from them to another host is checked. */
  readonly trustedNames?: ReadonlySet<string>;
  /** Resolves a name; by default with the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Called for each refused address: for a log, not for the client. */
  readonly onRefused?: (refused: RefusedAddress) => void;
}

/** A host that is not permitted, with its addresses. */
export interface RefusedAddress {
  readonly host: string;
  readonly addresses: readonly string[];
}

/**
 * Creates a connector for permitted addresses only. It checks the address that it connects to, at every connection. So neither a redirect
 * nor a name that resolves differently the second time can bypass the check.
 */
export function guardedConnector(
  policy: GuardedPolicy,
  options: buildConnector.BuildOptions,
  build: typeof buildConnector,
): buildConnector.connector {
  const connect = build({ ...options, allowH2: false, lookup: guardedLookup(policy) } as buildConnector.BuildOptions);
  return (target, callback) => {
    const refused = refusedHost(policy, target.hostname);
    return refused === undefined ? connect(target, callback) : callback(refused, null);
  };
}

/** The error for a host that is an address and not permitted. Names are checked when they are resolved. */
export function refusedHost(policy: GuardedPolicy, hostname: string): ScanError | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 || policy.guard.permits(host) ? undefined : refuse(policy, host, [host]);
}

/** Creates a resolver that leaves out addresses that are not permitted. */
export function guardedLookup(policy: GuardedPolicy): LookupFunction {
  const { guard, trustedNames, lookup = systemLookup as LookupFunction } = policy;
  return (hostname, asked, callback) => {
    if (trustedNames?.has(hostname.toLowerCase())) return lookup(hostname, asked, callback);
    lookup(hostname, { ...asked, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const addresses = Array.isArray(found) ? found : [];
      const permitted = addresses.filter(({ address }) => guard.permits(address));
      const [first] = permitted;
      if (first === undefined) {
        const refused = addresses.map(({ address }) => address);
        return callback(refuse(policy, hostname, refused), "");
      }
      return asked.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

/** The error does not contain the address, which would reveal internal networks to the client. */
function refuse({ onRefused }: GuardedPolicy, host: string, addresses: readonly string[]): ScanError {
  onRefused?.({ host, addresses });
  return new ScanError("not_permitted", "its address is not on the public internet; the configuration can allow it");
}
