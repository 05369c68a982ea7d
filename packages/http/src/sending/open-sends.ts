import type { ServerResponse } from "node:http";
import { RequestError } from "../errors.ts";
import { notesOf } from "../request-notes.ts";
import { Amounts, Counts } from "./counts.ts";
import { OpenSend, type SendCut } from "./open-send.ts";
import { connectionOf, cutOff, isFlushed, type Peer, peerOf } from "./response-end.ts";
import type { SendLimits } from "./send-limits.ts";

/** Where bodies are sent to, and how time is measured. */
export interface SendEnvironment {
  readonly limits: SendLimits;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
  /** The network of a response's client, whose members share limits. */
  readonly networkOf: (response: ServerResponse) => string;
  /** How many bytes the system has queued for each of these connections; absent where it does not tell. */
  readonly queuedFor?: (connections: readonly (Peer | undefined)[]) => Promise<readonly number[]>;
}

/** A client that reads nothing for this time is stalled: its body is closed, and it gives way to others. */
const stalledMs = 5_000;

/** The part of the memory that the clients of one network may hold with bodies that are in memory. One such body is always admitted. */
const networkShare = 1 / 4;

/** When a refused client may try again. */
const retryAfterSeconds = 5;

/** What has become of the bodies that were sent. */
export interface SendFigures {
  readonly open: number;
  readonly heldBytes: number;
  readonly cut: ReadonlyMap<SendCut, number>;
  readonly refused: number;
}

const owner = Symbol("plimsoll.open-sends");

type Owned = ServerResponse & { [owner]?: OpenSends };

/** The limits that a response is under; undefined if there are none. */
export function sendsOf(response: ServerResponse): OpenSends | undefined {
  return (response as Owned)[owner];
}

/**
 * The responses that are being sent, and the limits of their bodies. When a limit is reached, the client that has read nothing for the
 * longest time is cut for the new one; if none is stalled, a client of the network that takes the most gives way to one of a network that takes
 * less, and else the new one is refused.
 * @example
 * import { createServer } from "node:http";
 *
 * const limits = { ...defaultSendLimits, stallSeconds: 30 };
 * const sends = new OpenSends({
 *   limits,
 *   now: () => performance.now(),
 *   networkOf: ({ req }) => req.socket.remoteAddress ?? "",
 * });
 * const server = createServer();
 * server.prependListener("request", (_, response) => sends.follow(response));
 * setInterval(() => sends.check(), 1_000).unref();
 * setInterval(() => void sends.observeQueues(), 10_000).unref();
 */
export class OpenSends {
  readonly #environment: SendEnvironment;
  readonly #sends = new Set<OpenSend>();
  readonly #networks = new Counts<string>();
  readonly #connections = new Counts<object>();
  /** The bytes that each network holds in all, and those of its bodies that are in memory. */
  readonly #heldBy = new Amounts();
  readonly #inMemoryOf = new Amounts();
  readonly #responses = new Set<ServerResponse>();
  /** Since when responses without an {@link OpenSend} have ended and not reached their clients. */
  readonly #unread = new Map<ServerResponse, number>();
  readonly #cut = new Map<SendCut, number>();
  #heldBytes = 0;
  #refused = 0;

  constructor(environment: SendEnvironment) {
    this.#environment = environment;
  }

  /** Puts a response under the limits. Call it before the response is written. */
  follow(response: ServerResponse): void {
    (response as Owned)[owner] = this;
    this.#responses.add(response);
    response.once("close", () => {
      this.#responses.delete(response);
      this.#unread.delete(response);
    });
  }

  /**
   * Admits a body. The caller calls `end` of the result when the body has ended.
   * @param heldBytes how much memory the body takes as long as it is sent, besides the piece that is being written
   * @param park closes the body until its client reads again, if it can be opened again
   * @throws RequestError `too_many_requests`, `unavailable`
   */
  begin(response: ServerResponse, heldBytes: number, park: () => void): OpenSend {
    const { now, networkOf, limits } = this.#environment;
    const network = networkOf(response);
    const connection = connectionOf(response);
    this.#makeRoom({ network, connection, heldBytes });
    const send: OpenSend = new OpenSend({
      ...{ response, network, now, park, pace: limits },
      onHeld: (bytes) => {
        this.#heldBytes += bytes;
        this.#heldBy.add(network, bytes);
      },
      onEnd: () => {
        this.#sends.delete(send);
        this.#inMemoryOf.add(network, -heldBytes);
        this.#networks.remove(network);
        this.#connections.remove(connection);
      },
    });
    this.#sends.add(send);
    this.#networks.add(network);
    this.#connections.add(connection);
    this.#inMemoryOf.add(network, heldBytes);
    send.hold(heldBytes);
    return send;
  }

  /** Closes the bodies of stalled clients, and cuts the responses of clients that read too slowly. Call it every second. */
  check(): void {
    const at = this.#environment.now();
    for (const send of this.#sends) {
      if (send.stalledMs(at) >= stalledMs) send.park();
      const reason = send.judge(at);
      if (reason !== undefined) this.#cutOff(send, reason);
    }
    while (this.#heldBytes > this.#environment.limits.heldBytes && this.#giveWay(this.#networks.largest())) {}
    this.#checkEnded(at);
  }

  /** Looks at which of the stalled clients read what the system holds for them. Call it every ten seconds. */
  async observeQueues(): Promise<void> {
    const { queuedFor, now } = this.#environment;
    const from = now();
    const stalled = [...this.#sends].filter((send) => send.stalledMs(from) >= stalledMs);
    if (queuedFor === undefined || stalled.length === 0) return;
    const queued = await queuedFor(stalled.map(({ response }) => peerOf(response)));
    for (const [index, send] of stalled.entries()) send.noteQueue(queued[index] ?? 0, now());
  }

  /** What has become of the bodies so far. */
  figures(): SendFigures {
    return { open: this.#sends.size, heldBytes: this.#heldBytes, cut: this.#cut, refused: this.#refused };
  }

  /** Cuts responses that were written at once, and that their clients do not read. */
  #checkEnded(at: number): void {
    const longestMs = 1_000 * this.#environment.limits.stallSeconds;
    for (const response of this.#responses) {
      if (!response.writableEnded || isFlushed(response)) continue;
      const since = this.#unread.get(response) ?? at;
      this.#unread.set(response, since);
      if (at - since < longestMs) continue;
      this.#count(response, "stalled");
      cutOff(response);
    }
  }

  #makeRoom({ network, connection, heldBytes }: Wanted): void {
    const { perConnection, perNetwork, inAll, heldBytes: mostBytes } = this.#environment.limits;
    if (this.#connections.of(connection) >= perConnection) this.#refuse(tooMany("connection", perConnection));
    if (this.#networks.of(network) >= perNetwork && !this.#giveWay(network)) {
      this.#refuse(tooMany("network", perNetwork));
    }
    const inMemory = this.#inMemoryOf.of(network);
    if (heldBytes > 0 && inMemory > 0 && inMemory + heldBytes > networkShare * mostBytes) this.#refuse(tooMuch);
    const isFull = () => this.#sends.size >= inAll || this.#heldBytes + heldBytes > mostBytes;
    while (isFull() && (this.#giveWay(this.#networks.largest()) || this.#giveWay() || this.#yieldTo(network))) {}
    if (isFull()) this.#refuse(new RequestError("unavailable", busy, { retryAfterSeconds }));
  }

  #refuse(error: RequestError): never {
    this.#refused += 1;
    throw error;
  }

  /**
   * Cuts the body whose client has read nothing for the longest time, of one network or of all.
   * @param leastMs how long it must have read nothing
   * @returns whether there was one
   */
  #giveWay(network?: string, leastMs = stalledMs): boolean {
    const at = this.#environment.now();
    let [longest, longestMs] = [undefined as OpenSend | undefined, leastMs];
    for (const send of this.#sends) {
      if (network !== undefined && send.network !== network) continue;
      const ms = send.stalledMs(at);
      if (ms >= longestMs) [longest, longestMs] = [send, ms];
    }
    if (longest !== undefined) this.#cutOff(longest, "crowded");
    return longest !== undefined;
  }

  /** Cuts a body of the network that takes the most, for a network that takes less than half as much. @returns whether there was one */
  #yieldTo(network: string): boolean {
    const { inAll } = this.#environment.limits;
    const taken = this.#sends.size >= inAll ? this.#networks : this.#heldBy;
    const largest = taken.largest();
    if (largest === undefined || taken.of(largest) <= 2 * taken.of(network)) return false;
    return this.#giveWay(largest, 0);
  }

  #cutOff(send: OpenSend, reason: SendCut): void {
    this.#count(send.response, reason);
    send.cut();
    send.end();
  }

  #count({ req }: ServerResponse, reason: SendCut): void {
    notesOf(req).cut = reason;
    this.#cut.set(reason, (this.#cut.get(reason) ?? 0) + 1);
  }
}

interface Wanted {
  readonly network: string;
  readonly connection: object;
  readonly heldBytes: number;
}

const busy = "the server sends as many responses as it can: try again later";

const tooMuch = new RequestError(
  "too_many_requests",
  "this network is sent as many large documents as one may be at the same time: try again when some have ended",
  { retryAfterSeconds },
);

function tooMany(place: string, most: number): RequestError {
  const message = `expected at most ${most} responses at the same time to one ${place}: try again when some have ended`;
  return new RequestError("too_many_requests", message, { retryAfterSeconds });
}
