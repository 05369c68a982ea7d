import { defaultSendLimits, type SendLimits } from "@plimsoll/http/send-limits";
import type { ConnectionLimits } from "./open-connections.ts";
import type { BodyPace } from "./slow-bodies.ts";

/** Limits of connections, of what clients do not read, and of how slowly they send. */
export interface TrafficLimits {
  readonly connections: ConnectionLimits;
  readonly sends: SendLimits;
  readonly bodies: BodyPace;
}

/** The limits by default. */
export const defaultTrafficLimits: TrafficLimits = {
  connections: { idleSeconds: 75, perNetwork: 1_024, inAll: 8_192 }, // proxies often keep idle connections for 60 s
  sends: defaultSendLimits,
  bodies: { stallSeconds: 60, leastBytesPerSecond: 250 },
};

/** The limits of the health port, whose clients are few. */
export const healthTrafficLimits: TrafficLimits = {
  connections: { idleSeconds: 75, perNetwork: 64, inAll: 256 },
  sends: { ...defaultSendLimits, stallSeconds: 20 },
  bodies: { stallSeconds: 10, leastBytesPerSecond: 250 },
};

/** The size of an {@link Allowance}. */
interface AllowanceSize {
  /** What may be taken at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** An amount that is filled up again with time. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor({ burst, perSecond }: AllowanceSize, now: () => number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = burst;
    this.#at = now();
  }

  /** Takes an amount. @returns whether there was enough */
  take(amount: number): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - amount;
    this.#at = now;
    return this.#left >= 0;
  }
}
