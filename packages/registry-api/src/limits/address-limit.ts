import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import { networkOf } from "./network-of.ts";

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

/** Networks that are kept in memory; the least recently used is dropped first. */
const maxNetworks = 10_000;

/**
 * Creates a limit that counts in the memory of this process. A network may make `perHour` attempts at once; after them, one
 * more each time that `1/perHour` of an hour has passed.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export function createAddressLimit({ perHour }: { readonly perHour: number }): AddressLimit {
  const usedUntil = new LRUCache<string, number>({ max: maxNetworks });
  const costMs = hourMs / perHour;
  return {
    countAttempt(address, now) {
      const network = networkOf(address);
      const used = Math.max(usedUntil.get(network) ?? now, now) + costMs;
      if (used - now > hourMs) {
        const retryAfterSeconds = Math.ceil((used - now - hourMs) / 1000);
        const message = `Too many attempts from this address: at most ${perHour} an hour, try again in ${retryAfterSeconds} s`;
        throw new RegistryError("too_many_requests", message, { retryAfterSeconds });
      }
      usedUntil.set(network, used);
    },
  };
}
