import type { Readable } from "node:stream";
import { findErrorCode } from "./retry.ts";

/** How fast a body has to arrive. The time that its reader takes does not count. */
export interface BodyPace {
  /** The time limit for a pause, and for each {@link BodyPace.minBytes}. */
  readonly idleMs: number;
  /** The fewest bytes in each `idleMs`; 1,024 by default. */
  readonly minBytes?: number | undefined;
}

/** Where a body comes from, and its limits. */
export interface BodySource extends BodyPace {
  /** The host that sends it, for messages. */
  readonly host: string;
  /** How long its reader may take to begin; `idleMs` by default. */
  readonly unreadMs?: number | undefined;
}

const usualMinBytes = 1_024;

/**
 * A response that broke off, stalled, was too slow or was not read. `code` is that of the network error, or one of `RESPONSE_IDLE_TIMEOUT`,
 * `RESPONSE_RATE_TIMEOUT`, `RESPONSE_TIMEOUT`, `RESPONSE_UNREAD` and `RESPONSE_BROKEN`.
 * @example
 * declare const error: unknown;
 * if (error instanceof ResponseFailure) console.log(`${error.host}: ${error.message}`);
 */
export class ResponseFailure extends Error {
  override readonly name = "ResponseFailure";
  readonly code: string;
  readonly host: string;
  /** The message without the host. */
  readonly found: string;

  constructor(code: string, { host, found }: { readonly host: string; readonly found: string }, cause?: unknown) {
    super(`${host}: ${found}`, { cause });
    this.code = code;
    this.host = host;
    this.found = found;
  }
}

/**
 * The bytes of a response, to be read once: by `readBody`, `limitBody` or `discardBody`. It ends its connection if it stalls, if it is too
 * slow, if its reader leaves early, and if nobody reads it. Reading it fails with a {@link ResponseFailure}, or with the reason of the
 * request's signal.
 * @example
 * declare const body: ResponseBody;
 * for await (const chunk of body) process.stdout.write(chunk);
 */
export class ResponseBody implements AsyncIterable<Uint8Array> {
  readonly host: string;
  readonly #source: Readable;
  readonly #signal: AbortSignal | undefined;
  readonly #idleMs: number;
  readonly #minBytes: number;
  readonly #unread: NodeJS.Timeout;
  #seenBytes = 0;

  constructor(source: Readable, limits: BodySource, signal?: AbortSignal) {
    const { host, idleMs, minBytes = usualMinBytes, unreadMs = idleMs } = limits;
    this.host = host;
    this.#source = source.on("error", () => {}); // its reader gets the error, if there is one
    this.#signal = signal;
    this.#idleMs = idleMs;
    this.#minBytes = minBytes;
    const expire = () => this.end("RESPONSE_UNREAD", `its response was not read within ${unreadMs / 1000} s`);
    this.#unread = setTimeout(expire, unreadMs).unref();
    source.once("close", () => clearTimeout(this.#unread));
  }

  /** Ends the connection. Reading fails with the error. */
  end(code: string, found: string): void {
    this.#source.destroy(new ResponseFailure(code, { host: this.host, found }));
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    clearTimeout(this.#unread);
    const chunks = this.#source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    const watch = new PaceWatch({ idleMs: this.#idleMs, minBytes: this.#minBytes }, (found) => this.#tooSlow(found));
    const leave = () => {
      watch.stop();
      this.#source.destroy();
    };
    return {
      next: async () => {
        watch.wait();
        try {
          const next = await chunks.next();
          if (next.done) leave();
          else this.#count(watch, next.value.length);
          return next;
        } catch (error) {
          leave();
          throw this.#failureOf(error);
        }
      },
      return: async () => {
        leave();
        return { done: true, value: undefined };
      },
    };
  }

  #count(watch: PaceWatch, bytes: number): void {
    this.#seenBytes += bytes;
    watch.arrived(bytes);
  }

  #tooSlow(bytes: number): void {
    const within = `within ${this.#idleMs / 1000} s`;
    if (bytes === 0) this.end("RESPONSE_IDLE_TIMEOUT", `its response stalled: nothing arrived ${within}`);
    else {
      const found = `its response is too slow: ${bytes} bytes ${within}, expected at least ${this.#minBytes}`;
      this.end("RESPONSE_RATE_TIMEOUT", found);
    }
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof ResponseFailure) return error;
    if (this.#signal?.aborted === true) return this.#signal.reason;
    const reason = error instanceof Error ? error.message : String(error);
    const found = `its response broke off after ${this.#seenBytes} bytes: ${reason}`;
    return new ResponseFailure(findErrorCode(error) ?? "RESPONSE_BROKEN", { host: this.host, found }, error);
  }
}

/** Measures how much arrives while a reader waits. */
class PaceWatch {
  readonly #pace: { readonly idleMs: number; readonly minBytes: number };
  readonly #onSlow: (bytes: number) => void;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #waitedMs = 0;
  #waitsSince: number | undefined;

  constructor(pace: { readonly idleMs: number; readonly minBytes: number }, onSlow: (bytes: number) => void) {
    this.#pace = pace;
    this.#onSlow = onSlow;
    this.#timer = setInterval(() => this.#check(), Math.max(1, pace.idleMs / checksInIdleTime)).unref();
  }

  wait(): void {
    this.#waitsSince = performance.now();
  }

  arrived(bytes: number): void {
    this.#waitedMs = this.#waited();
    this.#waitsSince = undefined;
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #waited(): number {
    return this.#waitedMs + (this.#waitsSince === undefined ? 0 : performance.now() - this.#waitsSince);
  }

  #check(): void {
    if (this.#waited() < this.#pace.idleMs) return;
    if (this.#bytes < this.#pace.minBytes) this.#onSlow(this.#bytes);
    this.#bytes = 0;
    this.#waitedMs = 0;
    if (this.#waitsSince !== undefined) this.#waitsSince = performance.now();
  }
}

const checksInIdleTime = 4;
