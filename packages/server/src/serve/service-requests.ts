import { openOutbound } from "@plimsoll/outbound";

const connectMs = 10_000;
/** Longer than the deadlines of all callers. */
const idleMs = 300_000;

/** Requests to other services of the installation, never through a proxy. It needs no closing, because idle connections end. */
export const serviceRequests = openOutbound({ policy: "trusted", connectMs, idleMs });
