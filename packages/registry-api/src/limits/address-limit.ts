import { LRUCache } from "lru-cache";
import { RegistryError } from "../errors.ts";
import { networkOf } from "./network-of.ts";

/** How often something may be done from one network. */
export interface AddressLimit {
  /**
   * Counts one attempt from an address.
   * @param now epoch milliseconds
   * @throws RegistryError `too_many_requests`, with the seconds until the next attempt is accepted
   */
  take(address: string, now: number): void;
}

const hourMs = 3_600_000;

/** Networks that are remembered: those that asked longest ago are forgotten first. */
const maxNetworks = 10_000;

/**
 * A limit for each network, counted by this process: so many attempts at once, and again one after each part of an hour.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export function createAddressLimit({ perHour }: { readonly perHour: number }): AddressLimit {
  const usedUntil = new LRUCache<string, number>({ max: maxNetworks });
  const costMs = hourMs / perHour;
  return {
    take(address, now) {
      const network = networkOf(address);
      const used = Math.max(usedUntil.get(network) ?? now, now) + costMs;
      if (used - now > hourMs) {
        const retryAfterSeconds = Math.ceil((used - now - hourMs) / 1000);
        const message = `Too many from this address: at most ${perHour} an hour, try again in ${retryAfterSeconds} s`;
        throw new RegistryError("too_many_requests", message, { retryAfterSeconds });
      }
      usedUntil.set(network, used);
    },
  };
}
