import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ScanError } from "@plimsoll/core";
import type { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

/** Requests to addresses that a client may name: only those that the guard permits are connected to. */
export interface GuardedPolicy {
  readonly guard: AddressGuard;
  /** Asks for the addresses of a name; the system's resolver where absent. */
  readonly lookup?: LookupFunction;
  /** Told of every address that was not connected to: for a log, not for the client. */
  readonly onRefused?: (refused: RefusedAddress) => void;
}

/** A host that is not permitted, and the addresses that it has. */
export interface RefusedAddress {
  readonly host: string;
  readonly addresses: readonly string[];
}

/**
 * Connects to permitted addresses only. The address that is checked is the one that is connected to, at every connection:
 * neither a redirect nor a name that changes its address between two questions leads elsewhere.
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

/** The error where a host is an address that is not permitted; a name is looked at when it is resolved. */
export function refusedHost(policy: GuardedPolicy, hostname: string): ScanError | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 || policy.guard.permits(host) ? undefined : refuse(policy, host, [host]);
}

/** Names are resolved when connecting; addresses that are not permitted are as if they were not there. */
export function guardedLookup(policy: GuardedPolicy): LookupFunction {
  const { guard, lookup = systemLookup as LookupFunction } = policy;
  return (hostname, asked, callback) => {
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

/** The error does not say which address: the client would learn of a network that is not theirs. */
function refuse({ onRefused }: GuardedPolicy, host: string, addresses: readonly string[]): ScanError {
  onRefused?.({ host, addresses });
  return new ScanError(
    "not_permitted",
    "it leads to an address that is not on the public internet; the configuration can allow layers from there",
  );
}
