import type { IncomingMessage } from "node:http";
import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";
import { RequestError, type WriteRefusal } from "@plimsoll/http";
import { nestedNetworks } from "@plimsoll/registry";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { type CutConnection, type CutReason, limitHttp2 } from "./http2-budget.ts";
import { Allowance } from "./traffic-limits.ts";
import type { TrustsAddress } from "./trusted-proxies.ts";

/** Options of {@link limitConnections}. */
interface ConnectionLimitOptions {
  readonly logger: Pick<FastifyBaseLogger, "warn">;
  readonly noteCut: (reason: CutReason | "shunned") => void;
  /** Which peers are trusted proxies: their connections are cut, too, but they may open others at once. */
  readonly trusts?: TrustsAddress | undefined;
}

/**
 * Cuts HTTP/2 connections whose clients waste the server's work, and refuses further connections of their networks for a while, before
 * the TLS handshake.
 */
export function limitConnections(
  { server }: Pick<FastifyInstance, "server">,
  { logger, noteCut, trusts }: ConnectionLimitOptions,
): Disposable {
  const shunned = shunnedNetworks();
  server.prependListener("connection", (socket: Socket) => {
    if (!shunned.isShunned(socket.remoteAddress ?? "")) return;
    noteCut("shunned");
    socket.destroy();
  });
  return limitHttp2(server as unknown as Http2Server, {
    onCut(cut) {
      noteCut(cut.reason);
      logger.warn(cut, "connection_cut");
      if (!trusts?.(cut.address)) shunned.note(cut);
    },
  });
}

/** How many protocol errors a network may have: clients with mistakes, or a network that disturbs connections. */
const errors = { burst: 10, perSecond: 1 };

/** How long connections of a network are refused after one of them was cut: at first, and at most. It doubles each time. */
const firstMs = 1_000;
const mostMs = 60_000;

/** A network without another cut in this time is as good as any other. */
const forgottenMs = 600_000;

/** How many networks are remembered. */
const mostNetworks = 10_000;

/** Networks whose connections were cut. */
interface ShunnedNetworks {
  /** Records that a connection of an address was cut. One with a protocol error counts only if there are many. */
  note(cut: CutConnection): void;
  /** Whether connections of an address are refused now. */
  isShunned(address: string): boolean;
}

/**
 * Remembers the networks (an IPv4 address, a /64 of IPv6) whose connections were cut, so that opening a new connection does not give a
 * client a new budget.
 * @param now a clock that never goes back, in milliseconds
 */
export function shunnedNetworks(now: () => number = () => performance.now()): ShunnedNetworks {
  const known = new Map<string, Known>();
  return {
    note({ address, reason }) {
      const network = narrowestNetwork(address);
      const last = known.get(network);
      const isRecent = last !== undefined && now() - last.notedAt < forgottenMs;
      const before = isRecent
        ? last
        : { errors: new Allowance(errors, now), waitMs: firstMs / 2, until: 0, notedAt: 0 };
      known.delete(network); // so that the map has them in the order of their last cut
      known.set(
        network,
        noted(before, { now: now(), isBearable: reason === "protocol_errors" && before.errors.take(1) }),
      );
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > mostNetworks) known.delete(oldest);
    },
    isShunned(address) {
      return known.size > 0 && now() < (known.get(narrowestNetwork(address))?.until ?? 0);
    },
  };
}

/** What is known of a network. */
interface Known {
  readonly errors: Allowance;
  /** How long it was refused after its last cut. */
  readonly waitMs: number;
  readonly until: number;
  readonly notedAt: number;
}

function noted(before: Known, { now, isBearable }: { readonly now: number; readonly isBearable: boolean }): Known {
  if (isBearable) return { ...before, notedAt: now };
  const waitMs = now < before.until ? before.waitMs : Math.min(2 * before.waitMs, mostMs);
  return { ...before, waitMs, until: now + waitMs, notedAt: now };
}

/** An IPv4 address, or a /64 of IPv6: a wider network may have other owners. */
function narrowestNetwork(address: string): string {
  return nestedNetworks(address).at(-1) ?? address;
}

/** The size limit of a request line and headers together. */
const headBytes = 16 * 1024;

/**
 * The size limit of Node's parser. It is larger than {@link headBytes}, so that a request with too long headers is parsed and can be
 * rejected in the form of its API. It also bounds the memory of a connection.
 */
export const parserHeadBytes = 4 * headBytes;

/** Rejects requests with too long headers, in any version of HTTP and in the form of the API that they belong to. */
export function refuseLongHeaders(app: FastifyInstance, write: WriteRefusal): void {
  app.addHook("onRequest", ({ raw, url }, reply, done) => {
    if (bytesOf(raw) <= headBytes) return done();
    const { status, headers, body } = write(longHeaders(), url);
    if (raw.httpVersionMajor < 2) reply.raw.setHeader("connection", "close");
    reply.hijack();
    reply.raw.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    reply.raw.end(body);
  });
}

function longHeaders(): RequestError {
  return new RequestError("headers_too_large", "headers: expected at most 16 KB in total");
}

/** The size in HTTP/1.1, with a colon, a space and a line end for each header. */
function bytesOf({ url = "", rawHeaders }: Pick<IncomingMessage, "url" | "rawHeaders">): number {
  let bytes = url.length + 2 * rawHeaders.length;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
