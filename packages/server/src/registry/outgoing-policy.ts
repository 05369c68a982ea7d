import { isIP, type LookupFunction } from "node:net";
import { addressGuard, type GuardedPolicy, type ProxySettings } from "@plimsoll/outbound";

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
export type AllowingPolicy = GuardedPolicy & Required<Pick<GuardedPolicy, "trustedNames">>;
