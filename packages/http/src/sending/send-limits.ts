/** Limits of the bodies that are sent at the same time. */
export interface SendLimits {
  /** How many bodies one connection may receive at the same time. */
  readonly perConnection: number;
  /** How many bodies the clients of one network may receive at the same time. */
  readonly perNetwork: number;
  /** How many bodies this process sends at the same time. */
  readonly inAll: number;
  /** How many bytes this process holds for bodies that their clients have not read. */
  readonly heldBytes: number;
  /** How many seconds a client may take to read nothing. */
  readonly stallSeconds: number;
  /** A client that reads more slowly, on average, is cut; 0 cuts none. */
  readonly leastBytesPerSecond: number;
}

/** The limits by default. */
export const defaultSendLimits: SendLimits = {
  perConnection: 100,
  perNetwork: 2_048,
  inAll: 4_096,
  heldBytes: 128 * 1024 * 1024,
  stallSeconds: 60,
  leastBytesPerSecond: 1_024,
};
