import { setTimeout as delay } from "node:timers/promises";

/** When and how often something that may pass is tried again. */
export interface RetryPolicy {
  /** With the first one. */
  readonly attempts: number;
  /** Doubled with every attempt. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** A server that asks for a longer pause is not waited for. */
  readonly maxRetryAfterMs: number;
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** What every policy has that is not told otherwise: real time and real chance. */
export const retryClock: Pick<RetryPolicy, "sleep" | "random"> = {
  sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
  random: Math.random,
};

/** What a failure says about another attempt. */
export interface RetryAdvice {
  /** Whether the same request may do better next time. */
  readonly isPassing: boolean;
  /** The pause that the server asked for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Does something again, by a policy, while its failures are of the kind that passes.
 * @param attempt one attempt; its number begins with 1
 * @param adviceOf what a failure says; where absent, broken connections pass and everything else does not
 * @throws what the last attempt threw; the reason of the signal once that is aborted, also during a pause
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
 * Counts the attempts of one piece of work and pauses between them: for work that goes on where an attempt broke off.
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

  /** Of the attempt that is being made, from 1. */
  get number(): number {
    return this.#number;
  }

  /** What was reached is kept: this attempt counts as the first. */
  startAgain(): void {
    this.#number = 1;
  }

  /**
   * Waits before the next attempt.
   * @param beforePause what is to be done before, such as giving a connection free; only where another attempt follows
   * @returns false, at once, where none may follow
   * @throws the reason of the signal once that is aborted
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
   * @throws the error itself where none may follow; the reason of the signal once that is aborted
   */
  async pauseAfter(error: unknown, advice: RetryAdvice = { isPassing: isPassingError(error) }): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!(await this.pause(advice))) throw error;
  }
}

/**
 * The pause before attempt `attempt + 1`, after `attempt` ones failed; undefined to give up. What the server asked for
 * counts; otherwise the back-off, spread over its upper half so that clients do not come back together.
 */
export function findRetryDelay(policy: RetryPolicy, attempt: number, retryAfterMs?: number): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.maxRetryAfterMs ? retryAfterMs : undefined;
  const delayMs = Math.min(policy.firstDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return delayMs * (0.5 + policy.random() / 2);
}

/**
 * The pause that a `Retry-After` header asks for: seconds, or a date.
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

/** Broken connections and bodies that end early, as Node, undici and zlib call them. */
const passingCodes: ReadonlySet<string> = new Set([
  ...["EAI_AGAIN", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"],
  ...["UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_SOCKET"],
  ...["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "Z_BUF_ERROR"],
]);

/**
 * Whether a failed request or a broken body may do better next time: resets and timeouts, not names that do not exist.
 * @example
 * isPassingError(new TypeError("a mistake")); // false
 */
export function isPassingError(error: unknown): boolean {
  const code = findErrorCode(error);
  return code !== undefined && passingCodes.has(code);
}

/**
 * The code of a network error, or of what caused it.
 * @example
 * findErrorCode(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })); // "ECONNREFUSED"
 */
export function findErrorCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
