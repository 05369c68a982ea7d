import type { IncomingHttpHeaders } from "node:http";
import { addressGuard } from "@plimsoll/outbound";
import type { FastifyInstance } from "fastify";
import type { TrustsAddress } from "./trusted-proxies.ts";

/** What {@link reportUnexpectedProxies} needs. */
export interface UnexpectedProxiesOptions {
  readonly trusts?: TrustsAddress | undefined;
  readonly logger: { warn(fields: object, event: string): void };
  readonly clock: { now(): number };
}

/** The time after which the same proxy is reported again. */
const periodMs = 3_600_000;

/** How many proxies are reported in one period: a client in an internal network must not fill the log. */
const maxReported = 8;

/** Headers with which a proxy names the client. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

/**
 * Logs `proxy_not_trusted` when a peer in an internal network names clients in its headers but is not in `trustedProxies`. All of its
 * clients then have one address, so they share the limits for one address, and logs show the proxy. Clients in the internet are not
 * reported: such headers are not a sign of a proxy of the operator there.
 */
export function reportUnexpectedProxies(app: FastifyInstance, options: UnexpectedProxiesOptions): void {
  const { trusts = () => false, logger, clock } = options;
  const guard = addressGuard();
  const reported = new Set<string>();
  let periodAt = Number.NEGATIVE_INFINITY;
  app.addHook("onRequest", ({ raw }, _, done) => {
    const address = raw.socket.remoteAddress ?? "";
    if (namesClient(raw.headers) && !trusts(address) && !guard.permits(address)) report(address);
    done();
  });

  function report(address: string): void {
    const now = clock.now();
    if (now - periodAt >= periodMs) {
      reported.clear();
      periodAt = now;
    }
    if (reported.has(address) || reported.size >= maxReported) return;
    reported.add(address);
    logger.warn({ address, reason: `${reason}: add ${address} or its network to trustedProxies` }, "proxy_not_trusted");
  }
}

const reason = "a proxy names clients, but is not trusted, so all of its clients share the limits for one address";

function namesClient(headers: IncomingHttpHeaders): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}
