import { constants, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { Allowance } from "./traffic-limits.ts";

/** Why a connection is cut: by the limits of this file, or by Node's own ones. */
export type CutReason = "requests_cancelled" | "frames_without_requests" | "protocol_errors";

/** A connection that was cut. */
export interface CutConnection {
  readonly reason: CutReason;
  /** The address of its client. */
  readonly address: string;
}

/** Options of {@link limitHttp2}. */
export interface Http2BudgetOptions {
  /** Called for each connection that is cut. */
  readonly onCut: (cut: CutConnection) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** How many requests a client may cancel at once, and in a second. A client may run 100 at a time. */
const cancelled = { burst: 200, perSecond: 33 };

/**
 * How many bytes a client may send that belong to no request, at once and in a second: settings, pings, window updates, priorities, headers
 * that do not end, frames without content.
 */
const overhead = { burst: 64 * 1024, perSecond: 64 * 1024 };

/** What a header field takes besides its texts, at most. */
const bytesPerField = 8;

/** A client that receives bytes sends window updates: of 26 bytes, at most after each 1.6 KB. */
const sentPerOverhead = 64;

/** How often the connections are checked. */
const checkMs = 250;

/**
 * Limits what an HTTP/2 client can make a server do beside its requests. A request that was cancelled in the same packet is dropped before
 * anything is done for it. A connection that cancels more requests, or sends more other frames, than ordinary clients do is closed with
 * `ENHANCE_YOUR_CALM`. Streams above the maximum that the server announces are refused by Node.
 * @see https://www.rfc-editor.org/rfc/rfc9113#section-10.5
 * @returns disposing ends the checks
 */
export function limitHttp2(
  server: Http2Server,
  { onCut, now = () => performance.now() }: Http2BudgetOptions,
): Disposable {
  const open = new Map<ServerHttp2Session, SessionBudget>();
  const turns = new Turns(now);
  const check = () => {
    for (const budget of open.values()) budget.checkBytes();
  };
  server.on("sessionError", ({ code = "" }: NodeJS.ErrnoException, session: ServerHttp2Session) => {
    if (code.startsWith("ERR_HTTP2_")) open.get(session)?.noteProtocolError();
  });
  let timer: NodeJS.Timeout | undefined;
  server.on("session", (session) => {
    const address = session.socket.remoteAddress ?? "";
    const budget = new SessionBudget(session, { now, turns, onCut: (reason) => onCut({ reason, address }) });
    open.set(session, budget);
    timer ??= setInterval(check, checkMs).unref();
    session.once("close", () => {
      open.delete(session);
      if (open.size === 0) timer = void clearInterval(timer);
    });
  });
  const answer = server.listeners("stream") as ((...given: unknown[]) => void)[];
  server.removeAllListeners("stream");
  server.on("stream", (stream, ...given) => {
    const [, , rawHeaders] = given;
    const budget = stream.session && open.get(stream.session as ServerHttp2Session);
    budget?.follow(stream, rawHeaders);
    // By then, all frames are read that came in the same packet.
    turns.add(stream.session ?? stream, () => {
      if (stream.aborted || stream.destroyed) return;
      const hasEnded = stream.readableEnded;
      for (const each of answer) each.call(server, stream, ...given);
      if (hasEnded) stream.emit("end"); // of a body without bytes: who answers began to listen after it
    });
  });
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** How long one turn of the event loop may be held up. */
const turnMs = 4;

/**
 * The work for HTTP/2 connections, in the order of its arrival for each connection, and one piece for each connection in turn. What does not fit
 * into one turn of the event loop is done in the next ones: a hundred requests may arrive at once, and several connections be cut at once.
 */
class Turns {
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #now: () => number;
  #isScheduled = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(connection: object, piece: () => void): void {
    this.#schedule();
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) this.#waiting.set(connection, [piece]);
    else waiting.push(piece);
  }

  #schedule(): void {
    if (!this.#isScheduled) setImmediate(this.#runTurn);
    this.#isScheduled = true;
  }

  readonly #runTurn = () => {
    this.#isScheduled = false;
    const until = this.#now() + turnMs;
    try {
      do this.#runNext();
      while (this.#waiting.size > 0 && this.#now() < until);
    } finally {
      if (this.#waiting.size > 0) this.#schedule();
    }
  };

  #runNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [connection, waiting] = next;
    const piece = waiting.shift();
    this.#waiting.delete(connection);
    if (waiting.length > 0) this.#waiting.set(connection, waiting); // after the others
    piece?.();
  }
}

interface SessionBudgetOptions {
  readonly now: () => number;
  readonly turns: Turns;
  readonly onCut: (reason: CutReason) => void;
}

/** What one connection may still do. */
class SessionBudget {
  readonly #session: ServerHttp2Session;
  readonly #options: SessionBudgetOptions;
  readonly #cancelled: Allowance;
  readonly #overhead: Allowance;
  /** The bytes that the client has sent for its requests, at most. */
  #usefulBytes = 0;
  #seenBytes = 0;
  #isCut = false;

  constructor(session: ServerHttp2Session, options: SessionBudgetOptions) {
    this.#session = session;
    this.#options = options;
    this.#cancelled = new Allowance(cancelled, options.now);
    this.#overhead = new Allowance(overhead, options.now);
  }

  follow(stream: ServerHttp2Stream, rawHeaders: readonly string[]): void {
    for (const text of rawHeaders) this.#usefulBytes += text.length + bytesPerField / 2;
    stream.on("error", () => {}); // the code that answers is told by its own streams
    stream.once("aborted", () => {
      if (!this.#cancelled.take(1)) this.#cut("requests_cancelled");
    });
    const push = stream.push.bind(stream);
    stream.push = (chunk, encoding) => {
      this.#usefulBytes += chunk?.length ?? 0;
      return push(chunk, encoding);
    };
  }

  /** Node has closed the connection, because its frames were wrong, or too many of a kind. */
  noteProtocolError(): void {
    if (!this.#isCut) this.#options.onCut("protocol_errors");
    this.#isCut = true;
  }

  checkBytes(): void {
    const { socket, destroyed } = this.#session;
    if (destroyed) return;
    const usefulBytes = this.#usefulBytes + socket.bytesWritten / sentPerOverhead;
    const excess = socket.bytesRead - usefulBytes;
    const more = Math.max(0, excess - this.#seenBytes);
    this.#seenBytes = Math.max(this.#seenBytes, excess);
    if (!this.#overhead.take(more)) this.#cut("frames_without_requests");
  }

  #cut(reason: CutReason): void {
    if (this.#isCut) return;
    this.#isCut = true;
    const { onCut, turns } = this.#options;
    onCut(reason);
    const error = new Error(`the connection was cut: ${reason}`);
    turns.add(this, () => this.#session.destroy(error, constants.NGHTTP2_ENHANCE_YOUR_CALM)); // which resets each of its requests
  }
}
