import { defaultTrafficLimits, type TrafficLimits } from "../serve/traffic-limits.ts";
import { count } from "./setting-kind.ts";

/** The settings of connections, of what clients may leave unread, and of how slowly they may send. */
export const trafficSettingKinds = {
  /** How long a connection may wait for a request. */
  connectionIdleSeconds: count,
  /** How many connections the clients of one network may have. */
  connectionsPerNetwork: count,
  /** How many connections a process has. */
  connectionsAtOnce: count,
  /** How many bodies one connection may receive at the same time. */
  sendsPerConnection: count,
  /** How many bodies the clients of one network may receive at the same time. */
  sendsPerNetwork: count,
  /** How many bodies a process sends at the same time. */
  sendsAtOnce: count,
  /** How much memory a process uses for what clients have not read. */
  sendMemoryBytes: count,
  /** How long a client may read nothing. */
  sendStallSeconds: count,
  /** A client that reads more slowly is cut. */
  sendBytesPerSecond: count,
  /** How long a client may send nothing of a body. */
  bodyStallSeconds: count,
  /** A client that sends a body more slowly is cut. */
  bodyBytesPerSecond: count,
} as const;

/** Resolves the limits of traffic. */
export function trafficOf(given: Partial<Readonly<Record<keyof typeof trafficSettingKinds, number>>>): TrafficLimits {
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
