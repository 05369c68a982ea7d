import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { addressGuard } from "@plimsoll/outbound";
import type { FastifyInstance } from "fastify";
import { wrongValue } from "../config/wrong-value.ts";

/** Whether an address is that of a trusted proxy. */
export type TrustsAddress = (address: string) => boolean;

/**
 * Parses addresses and networks: `10.0.0.0/8`, `192.0.2.7`, `2001:db8::/32`.
 * @returns whether an address is in one of them
 * @throws UsageError naming the setting, if one is malformed
 */
export function trustedNetworks(networks: readonly string[], setting = "trustedProxies"): TrustsAddress {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network, setting);
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function addNetwork(list: BlockList, network: string, setting: string): void {
  const [address = "", prefix, ...rest] = network.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  const bits = prefix === undefined ? undefined : Number(prefix);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(prefix ?? "") && bits <= (family === "ipv6" ? 128 : 32));
  if (isIP(address) === 0 || !isPrefix || rest.length > 0) {
    throw wrongValue({ place: setting, expected: "addresses and networks such as 10.0.0.0/8", found: network });
  }
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, bits, family);
}

/**
 * Reduces the forwarding headers of trusted proxies to their trusted part before Fastify reads them: the client's address in
 * `X-Forwarded-For`, and the scheme and the host that the last proxy states. `Forwarded` is used if those headers are absent. Headers of
 * other peers are unchanged, and Fastify ignores them.
 */
export function applyTrustedProxies(app: FastifyInstance, trusts: TrustsAddress): void {
  app.addHook("onRequest", ({ raw }, _, done) => {
    if (trusts(raw.socket.remoteAddress ?? "")) reduceForwarding(raw.headers, trusts);
    done();
  });
}

/** The client's address of a request that Fastify has not read. Changes the headers as {@link applyTrustedProxies} does. */
export function clientAddress(peer: string, headers: IncomingHttpHeaders, trusts: TrustsAddress | undefined): string {
  if (!trusts?.(peer)) return peer;
  reduceForwarding(headers, trusts);
  return textOf(headers["x-forwarded-for"]) || peer;
}

const schemePattern = /^https?$/i;
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]{0,253})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

function reduceForwarding(headers: IncomingHttpHeaders, trusts: TrustsAddress): void {
  const forwarded = headers["x-forwarded-for"] === undefined ? parseForwarded(headers.forwarded) : [];
  const own = textOf(headers["x-forwarded-for"]).split(",");
  const client = clientOf(forwarded.length > 0 ? forwarded.map((each) => each.for ?? "") : own, trusts);
  const last = forwarded.at(-1);
  replace(headers, "x-forwarded-for", client);
  replace(headers, "x-forwarded-proto", checked(lastOf(headers["x-forwarded-proto"]) ?? last?.proto, schemePattern));
  replace(headers, "x-forwarded-host", checked(lastOf(headers["x-forwarded-host"]) ?? last?.host, hostPattern));
}

function replace(headers: IncomingHttpHeaders, name: string, value: string | undefined): void {
  if (value === undefined) delete headers[name];
  else headers[name] = value;
}

/** The first address from the right that is not a trusted proxy. A malformed hop ends the search. */
function clientOf(hops: readonly string[], trusts: TrustsAddress): string | undefined {
  let client: string | undefined;
  for (const hop of hops.toReversed()) {
    const address = addressOf(hop.trim());
    if (address === undefined) return client;
    client = address;
    if (!trusts(address)) return client;
  }
  return client;
}

/** Some proxies add a port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function addressOf(hop: string): string | undefined {
  if (isIP(hop) !== 0) return hop;
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]{2,45})\]|([\d.]{7,15}))(?::\d{1,5})?$/i.exec(hop) ?? [];
  const address = bracketed ?? plain ?? "";
  return isIP(address) === 0 ? undefined : address;
}

/** The elements of a `Forwarded` header. @see https://www.rfc-editor.org/rfc/rfc7239#section-4 */
function parseForwarded(header: string | undefined): readonly Readonly<Record<string, string>>[] {
  if (header === undefined || header.length > maxForwardedLength) return [];
  return header.split(",").map((element) =>
    Object.fromEntries(
      element.split(";").map((pair) => {
        const [name = "", value = ""] = pair.split("=", 2);
        return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
      }),
    ),
  );
}

const maxForwardedLength = 4096;

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value ?? []).join(",");
}

function lastOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined ? undefined : textOf(value).split(",").at(-1)?.trim();
}

function checked(value: string | undefined, pattern: RegExp): string | undefined {
  return value !== undefined && pattern.test(value) ? value : undefined;
}

/** What {@link reportUnexpectedProxies} needs. */
interface UnexpectedProxiesOptions {
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
