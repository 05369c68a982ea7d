import { openOutbound } from "@plimsoll/outbound";

const connectMs = 10_000;
/** Callers have deadlines of their own, which are shorter. */
const idleMs = 300_000;

const outbound = openOutbound({ policy: "trusted", connectMs, idleMs });

/** Asks other services of the installation, never through a proxy. Idle connections close by themselves. */
export const trustedFetch = outbound.fetch;
