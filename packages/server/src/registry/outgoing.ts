import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { openOutbound } from "@plimsoll/outbound";
import { invalidRequest, type OutgoingGuard } from "@plimsoll/registry";
import { type OutgoingOptions, outgoingPolicy } from "./outgoing-policy.ts";

const connectMs = 10_000;
const idleMs = 30_000;

/**
 * Sends requests to other hosts on behalf of clients. It refuses internal names and addresses, both when a client names them and when
 * the connection is made.
 */
export function openOutgoing(options: OutgoingOptions): OutgoingGuard & AsyncDisposable {
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
