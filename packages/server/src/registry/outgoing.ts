import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { addressGuard, openOutbound, type ProxySettings } from "@plimsoll/outbound";
import { invalidRequest, type OutgoingGuard } from "@plimsoll/registry-api";

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

const connectMs = 10_000;
const idleMs = 30_000;

/**
 * Sends requests to other hosts on behalf of clients. It refuses internal names and addresses, both when a client names them and when
 * the connection is made.
 */
export function openOutgoing(options: OutgoingOptions): OutgoingGuard & AsyncDisposable {
  const { allowedInternalHosts, onRefused, proxy, lookup = systemLookup as LookupFunction } = options;
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  const guarded = openOutbound({ policy: { guard, onRefused, lookup }, proxy, connectMs, idleMs });
  const unguarded = openOutbound({ policy: "trusted", proxy, connectMs, idleMs });
  return {
    async check(host) {
      const name = host.replace(/^\[|\]$/g, "").toLowerCase();
      if (names.has(name)) return;
      if (isInternalName(name)) throw refused(host);
      const addresses = isIP(name) === 0 ? await resolve(name, lookup) : [name];
      if (addresses.length === 0 && proxy === undefined) throw invalidRequest(`${name}: there is no such host`);
      if (addresses.every((address) => guard.permits(address))) return;
      onRefused({ host, addresses });
      throw refused(host);
    },
    send(url, init = {}) {
      const isNamed = names.has(new URL(url).hostname.toLowerCase());
      return (isNamed ? unguarded : guarded).fetch(url, init);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [guarded, unguarded]) await each[Symbol.asyncDispose]();
    },
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
