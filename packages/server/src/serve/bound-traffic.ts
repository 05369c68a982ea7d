import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { notesOf, OpenSends, type Peer, type RequestLines, takeRequestsInTurn } from "@plimsoll/http";
import { nestedNetworks } from "@plimsoll/registry";
import type { FastifyInstance } from "fastify";
import type { TrafficFigures } from "../metrics/traffic-figures.ts";
import { OpenConnections } from "./open-connections.ts";
import { OpenBodies } from "./slow-bodies.ts";
import { defaultTrafficLimits } from "./traffic-limits.ts";
import type { TrustsAddress } from "./trusted-proxies.ts";

const [checkMs, observeMs] = [1_000, 10_000];

/** The connections, the responses and the bodies of requests of the servers that share limits. Disposing ends the checks. */
export class Traffic implements Disposable {
  readonly #connections: OpenConnections;
  readonly #sends: OpenSends;
  readonly #bodies: OpenBodies;
  readonly #lines: RequestLines[] = [];
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(limits = defaultTrafficLimits, now: () => number = () => performance.now()) {
    this.#connections = new OpenConnections(limits.connections, now);
    this.#sends = new OpenSends({ limits: limits.sends, now, networkOf: networkOfClient, queuedFor: queuedForSockets });
    this.#bodies = new OpenBodies(limits.bodies, now);
    const check = () => {
      this.#connections.check();
      this.#sends.check();
      this.#bodies.check();
      for (const lines of this.#lines) lines.check();
    };
    const observe = () => void this.#sends.observeQueues();
    this.#timers = [setInterval(check, checkMs).unref(), setInterval(observe, observeMs).unref()];
  }

  /**
   * Puts the connections and the requests of a server under the limits. Call it before other listeners are added.
   * @param trusts the proxies, whose networks may have any number of connections
   */
  bound(app: FastifyInstance, trusts?: TrustsAddress): void {
    this.#lines.push(takeRequestsInTurn(app));
    this.#connections.follow(app, trusts);
    app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#sends.follow(response);
      this.#bodies.follow(request, response);
    });
  }

  /** What has become of the connections, responses and bodies so far. */
  figures(): TrafficFigures {
    return { connections: this.#connections.figures(), sends: this.#sends.figures(), bodies: this.#bodies.figures() };
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

function networkOfClient({ req }: ServerResponse): string {
  const address = notesOf(req).address ?? req.socket.remoteAddress ?? "";
  return nestedNetworks(address).at(-1) ?? address;
}

/** The tables of this process's network: one line for each connection. */
const tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

/**
 * How many bytes Linux has queued for each connection that its other end has not received. Zero where the system does not tell.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export async function queuedForSockets(peers: readonly (Peer | undefined)[]): Promise<readonly number[]> {
  const texts = await Promise.all(tables.map((table) => readFile(table, "latin1").catch(() => "")));
  const queues = new Map(texts.flatMap(parseQueues));
  return peers.map((peer) => (peer && queues.get(nameOf(peer))) ?? 0);
}

/** The lengths of the queues in a table by local port, remote address and remote port, all in hexadecimal digits. */
export function parseQueues(table: string): readonly (readonly [name: string, bytes: number])[] {
  const found = table.matchAll(/^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm);
  return Array.from(found, ([, local = "", remote = "", port = "", queued = "0"]) => [
    `${local} ${withoutMapping(remote)} ${port}`,
    Number.parseInt(queued, 16),
  ]);
}

/** An IPv4 address in an IPv6 table. */
function withoutMapping(address: string): string {
  return address.startsWith("0000000000000000FFFF0000") ? address.slice(24) : address;
}

function nameOf({ localPort = 0, remoteAddress = "", remotePort = 0 }: Peer): string {
  return `${hex(localPort)} ${addressName(remoteAddress)} ${hex(remotePort)}`;
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** An address as Linux prints it: groups of four bytes, each as a number of the machine's byte order, which is little-endian. */
function addressName(address: string): string {
  const [unscoped = ""] = address.split("%");
  const plain = unscoped.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return inWords(plain.split(".").map(Number));
  return isIPv6(plain) ? inWords(bytesOf(plain)) : "";
}

function inWords(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, at) =>
    Buffer.from(bytes.slice(4 * at, 4 * at + 4).toReversed()),
  );
  return Buffer.concat(words).toString("hex").toUpperCase();
}

function bytesOf(address: string): readonly number[] {
  const [before = "", after] = address.split("::");
  const groups = (text: string) => text.split(":").filter((each) => each !== "");
  const [first, last] = [groups(before), groups(after ?? "")];
  const missing = after === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: missing }, () => "0"), ...last];
  return [...Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex")];
}
