import { defaultSendLimits, type SendLimits } from "@plimsoll/http";
import type { BodyPace } from "./slow-bodies.ts";

/** Limits of what clients do not read, and of how slowly they send. */
export interface TrafficLimits {
  readonly sends: SendLimits;
  readonly bodies: BodyPace;
}

/** The limits by default. */
export const defaultTrafficLimits: TrafficLimits = {
  sends: defaultSendLimits,
  bodies: { stallSeconds: 60, leastBytesPerSecond: 250 },
};
