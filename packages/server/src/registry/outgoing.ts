import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { addressGuard, openOutbound } from "@plimsoll/outbound";
import { invalidRequest, type OutgoingGuard } from "@plimsoll/registry-api";

/** What may be asked besides the public internet. */
export interface OutgoingOptions {
  /** Addresses, networks such as `10.0.0.0/8`, and names of hosts. */
  readonly allowedInternalHosts: readonly string[];
  /** Told of what was refused: for the log, not for whoever asked. */
  readonly onRefused: (refused: { readonly host: string; readonly addresses: readonly string[] }) => void;
}

const connectMs = 10_000;
const idleMs = 30_000;

/**
 * Asks other hosts on behalf of clients: of their names and addresses none that is internal, neither when a client names it nor
 * when the connection is made.
 */
export function openOutgoing({ allowedInternalHosts, onRefused }: OutgoingOptions): OutgoingGuard & AsyncDisposable {
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") !== 0;
  const names = new Set(allowedInternalHosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase()));
  const guard = addressGuard(allowedInternalHosts.filter(isNetwork));
  const guarded = openOutbound({ policy: { guard, onRefused }, connectMs, idleMs });
  const unguarded = openOutbound({ policy: "trusted", connectMs, idleMs });
  return {
    async check(host) {
      const name = host.replace(/^\[|\]$/g, "").toLowerCase();
      if (names.has(name)) return;
      if (isInternalName(name)) throw refused(host);
      const addresses = isIP(name) === 0 ? await resolve(name) : [name];
      if (addresses.length > 0 && addresses.every((address) => guard.permits(address))) return;
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

/** Names that mean this host or its neighbours wherever they are asked. */
function isInternalName(name: string): boolean {
  return (
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/.test(name) ||
    /(?:^|\.)kubernetes(?:\.default)?(?:\.svc)?(?:\.|$)/.test(name)
  );
}

async function resolve(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    throw invalidRequest(`${name}: there is no such host`);
  }
}

function refused(host: string) {
  return invalidRequest(`${host}: is not a host on the public internet; the configuration can allow it`);
}
