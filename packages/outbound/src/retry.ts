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
 */
export function parseRetryAfter(header: string, nowAt: number): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowAt);
}

/** Statuses after which the same request may succeed. */
export function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || status === 500 || (status >= 502 && status <= 504);
}

const passingCodes = new Set([
  "EAI_AGAIN",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_SOCKET",
]);

/** Whether a failed request or a broken body may do better next time: resets and timeouts, not names that do not exist. */
export function isPassingError(error: unknown): boolean {
  const code = findErrorCode(error);
  return code !== undefined && passingCodes.has(code);
}

/** The code of a network error, or of what caused it. */
export function findErrorCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
