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
