import { setTimeout as delay } from "node:timers/promises";

/** When and how often work with a transient failure is retried. */
export interface RetryPolicy {
  /** The number of attempts, including the first one. */
  readonly attempts: number;
  /** The first pause; it doubles with every attempt. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** The longest accepted `Retry-After`; a longer one ends the attempts. */
  readonly maxRetryAfterMs: number;
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Real time and real randomness, for retry policies outside tests. */
export const retryClock: Pick<RetryPolicy, "sleep" | "random"> = {
  sleep: (delayMs, signal) => delay(delayMs, undefined, { signal }),
  random: Math.random,
};

/** Whether another attempt may succeed, and when. */
export interface RetryAdvice {
  /** Whether the failure is transient, so that the same request may succeed later. */
  readonly isPassing: boolean;
  /** The pause that the server requested. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Repeats work by a policy while its failures are transient.
 * @param attempt does the work; it gets the number of the attempt, from 1
 * @param adviceOf whether a failure is transient; by default only broken connections are
 * @throws the error of the last attempt; the reason of the signal if it is aborted, also during a pause
 * @example
 * declare const outbound: Outbound;
 * const policy = { attempts: 3, firstDelayMs: 500, maxDelayMs: 5_000, maxRetryAfterMs: 60_000, ...retryClock };
 * const response = await withRetries(policy, () => outbound.send({ url: new URL("https://example.com/") }));
 */
export async function withRetries<Result>(
  policy: RetryPolicy,
  attempt: (number: number) => Promise<Result>,
  { adviceOf, signal }: { readonly adviceOf?: (error: unknown) => RetryAdvice; readonly signal?: AbortSignal } = {},
): Promise<Result> {
  const attempts = new Attempts(policy, signal);
  for (;;) {
    try {
      return await attempt(attempts.number);
    } catch (error) {
      await attempts.pauseAfter(error, adviceOf?.(error));
    }
  }
}

/**
 * Counts the attempts of some work and pauses between them: for work that continues where the last attempt stopped.
 * @example
 * declare function readOn(): Promise<void>;
 * const policy = { attempts: 3, firstDelayMs: 500, maxDelayMs: 5_000, maxRetryAfterMs: 60_000, ...retryClock };
 * const attempts = new Attempts(policy);
 * await readOn().catch((error: unknown) => attempts.pauseAfter(error));
 */
export class Attempts {
  readonly #policy: RetryPolicy;
  readonly #signal: AbortSignal | undefined;
  #number = 1;

  constructor(policy: RetryPolicy, signal?: AbortSignal) {
    this.#policy = policy;
    this.#signal = signal;
  }

  /** The number of the current attempt, from 1. */
  get number(): number {
    return this.#number;
  }

  /** Counts the current attempt as the first one again, because it made progress. */
  startAgain(): void {
    this.#number = 1;
  }

  /**
   * Waits before the next attempt.
   * @param beforePause called before the pause, for example to release a connection; only if another attempt follows
   * @returns false, at once, if there is no further attempt
   * @throws the reason of the signal if it is aborted
   */
  async pause({ isPassing, retryAfterMs }: RetryAdvice, beforePause?: () => Promise<void>): Promise<boolean> {
    const delayMs = isPassing ? findRetryDelay(this.#policy, this.#number, retryAfterMs) : undefined;
    if (delayMs === undefined) return false;
    this.#number += 1;
    await beforePause?.();
    await this.#policy.sleep(delayMs, this.#signal);
    this.#signal?.throwIfAborted();
    return true;
  }

  /**
   * Waits before the next attempt.
   * @throws the error itself if there is no further attempt; the reason of the signal if it is aborted
   */
  async pauseAfter(error: unknown, advice: RetryAdvice = { isPassing: isPassingError(error) }): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!(await this.pause(advice))) throw error;
  }
}

/**
 * The pause before attempt `attempt + 1`, after `attempt` failures; undefined to give up. It is the pause that the server requested, or
 * else the back-off, randomly between its half and its whole, so that clients do not retry at the same time.
 */
export function findRetryDelay(policy: RetryPolicy, attempt: number, retryAfterMs?: number): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.maxRetryAfterMs ? retryAfterMs : undefined;
  const delayMs = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return delayMs * (0.5 + policy.random() / 2);
}

/**
 * Parses the pause of a `Retry-After` header, which is in seconds or a date.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3
 * @example
 * parseRetryAfter("120", Date.now()); // 120000
 */
export function parseRetryAfter(header: string, nowAt: number): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowAt);
}

/**
 * Statuses after which the same request may succeed.
 * @example
 * isPassingStatus(503); // true
 * isPassingStatus(404); // false
 */
export function isPassingStatus(status: number): boolean {
  return passingStatuses.has(status);
}

const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Error codes of Node, undici and zlib for broken connections and truncated bodies. */
const passingCodes: ReadonlySet<string> = new Set([
  ...["EAI_AGAIN", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"],
  ...["UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_SOCKET"],
  ...["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "Z_BUF_ERROR", "RESPONSE_BROKEN"],
  ...["RESPONSE_IDLE_TIMEOUT", "RESPONSE_RATE_TIMEOUT", "RESPONSE_TIMEOUT"],
]);

/**
 * Whether the error of a request or a body is transient: resets and timeouts, but not names that do not exist.
 * @example
 * isPassingError(new TypeError("a mistake")); // false
 */
export function isPassingError(error: unknown): boolean {
  const code = findErrorCode(error);
  return code !== undefined && passingCodes.has(code);
}

/**
 * Finds the code of a network error, or of one of its causes.
 * @example
 * findErrorCode(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })); // "ECONNREFUSED"
 */
export function findErrorCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
