import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import { entriesUpTo } from "./entries-up-to.ts";

/** A rate limit on attempts, counted for each client network. */
export interface AddressLimit {
  /**
   * Counts one attempt from an address.
   * @param now epoch milliseconds
   * @throws RegistryError `too_many_requests`, with the seconds until the next attempt is accepted
   */
  countAttempt(address: string, now: number): void;
}

const hourMs = 3_600_000;

/** Networks of one level that are kept in memory; the least recently used is dropped first. */
const maxNetworks = 10_000;

/** How many times the attempts of the narrowest network each wider network may make: many customers share the widest. */
const shares = [1, 4, 16, 64];

/**
 * Creates a limit that counts in the memory of this process. An address (IPv4) or a /64 network (IPv6) may make `perHour` attempts at
 * once; after them, one more each time that `1/perHour` of an hour has passed. Each wider network around it may make four times as many as
 * the one within, so that owners of many networks cannot pass the limit.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export function createAddressLimit({ perHour }: { readonly perHour: number }): AddressLimit {
  const levels = shares.map((share) => ({
    costMs: hourMs / (perHour * share),
    usedUntil: new LRUCache<string, number>(entriesUpTo(maxNetworks)),
  }));
  return {
    countAttempt(address, now) {
      const networks = nestedNetworks(address).toReversed();
      const counted = levels.slice(0, networks.length).map(({ costMs, usedUntil }, level) => {
        const network = networks[level] ?? address;
        return { usedUntil, network, until: Math.max(usedUntil.get(network) ?? now, now) + costMs };
      });
      const latest = Math.max(...counted.map(({ until }) => until));
      if (latest - now > hourMs) throw tooMany(perHour, Math.ceil((latest - now - hourMs) / 1000));
      for (const { usedUntil, network, until } of counted) usedUntil.set(network, until);
    },
  };
}

function tooMany(perHour: number, retryAfterSeconds: number): RegistryError {
  const message = `Too many attempts from this network: at most ${perHour} an hour from one address, try again in ${retryAfterSeconds} s`;
  return new RegistryError("too_many_requests", message, { retryAfterSeconds });
}

/**
 * The networks that usually have one owner, by the length of their prefix, widest first. IPv4: a provider, a company, an address. IPv6: a
 * provider, and what providers assign to a site (a /48 or a /56) and to a link (a /64).
 * @see https://www.rfc-editor.org/rfc/rfc6177
 */
const prefixLengths = { ipv4: [16, 24, 32], ipv6: [32, 48, 56, 64] } as const;

/**
 * The networks that an address belongs to, widest first. An IPv4 address that is mapped into IPv6 is taken as IPv4. A text that is no
 * address is its own and only network.
 * @example nestedNetworks("::ffff:192.0.2.7") // ["192.0.0.0/16", "192.0.2.0/24", "192.0.2.7/32"]
 * @example nestedNetworks("2001:db8:1:203::9") // ["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1:200::/56", "2001:db8:1:203::/64"]
 */
export function nestedNetworks(address: string): readonly string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return prefixLengths[parsed.kind()].map((bits) => {
    const kept = bytes.map((byte, at) => byte & (0xff00 >> Math.min(Math.max(bits - 8 * at, 0), 8)) & 0xff);
    return `${ipaddr.fromByteArray(kept).toString()}/${bits}`;
  });
}

/**
 * The network of one customer, which keeps its addresses for long although each of them may change: the /24 of an IPv4 address, the /56
 * of an IPv6 address.
 */
export function customerNetwork(address: string): string {
  return nestedNetworks(address).at(-2) ?? address;
}
