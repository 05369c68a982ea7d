import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import { nestedNetworks } from "./nested-networks.ts";

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
    usedUntil: new LRUCache<string, number>({ max: maxNetworks }),
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
