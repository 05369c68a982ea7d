import { defaultTrafficLimits, type TrafficLimits } from "../serve/traffic-limits.ts";
import type { GivenSettings } from "./settings.ts";

/** Resolves the limits of traffic. */
export function trafficOf(given: GivenSettings): TrafficLimits {
  const { connections, sends, bodies } = defaultTrafficLimits;
  return {
    connections: {
      idleSeconds: given.connectionIdleSeconds ?? connections.idleSeconds,
      perNetwork: given.connectionsPerNetwork ?? connections.perNetwork,
      inAll: given.connectionsAtOnce ?? connections.inAll,
    },
    sends: {
      perConnection: given.sendsPerConnection ?? sends.perConnection,
      perNetwork: given.sendsPerNetwork ?? sends.perNetwork,
      inAll: given.sendsAtOnce ?? sends.inAll,
      heldBytes: given.sendMemoryBytes ?? sends.heldBytes,
      stallSeconds: given.sendStallSeconds ?? sends.stallSeconds,
      leastBytesPerSecond: given.sendBytesPerSecond ?? sends.leastBytesPerSecond,
    },
    bodies: {
      stallSeconds: given.bodyStallSeconds ?? bodies.stallSeconds,
      leastBytesPerSecond: given.bodyBytesPerSecond ?? bodies.leastBytesPerSecond,
    },
  };
}
