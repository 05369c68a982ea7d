import { type Bytes, ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import {
  Attempts,
  discardBody,
  isPassingError,
  ResponseFailure,
  type RetryPolicy,
  startDeadline,
} from "@plimsoll/outbound";
import type { Endpoint } from "./endpoint.ts";
import { StatusError, toScanError } from "./refusal.ts";

/** A blob and the endpoints to fetch it from. */
export interface BlobRequest {
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** The endpoints, in the order in which they are tried. */
  readonly endpoints: readonly Endpoint[];
  readonly retry: RetryPolicy;
  /** The time limit for the whole blob. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** After this much progress, a failure counts as the first again. */
const progressBytes = 64 * 1024;

/** A body that ended early without an error. */
class EarlyEnd extends Error {
  override readonly name = "EarlyEnd";
}

/**
 * Fetches the bytes of a blob; only their number is checked. A broken transfer is resumed where it broke. When an endpoint has used up its
 * attempts, the next one continues.
 * @throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `size_mismatch`, `timed_out`, `aborted`
 */
export async function* fetchBlob(request: BlobRequest): Bytes {
  const what = `blob ${request.digest}`;
  const deadline = startDeadline(request.timeoutMs, `fetching ${what}`, request.signal);
  let offset = 0;
  for (const [index, endpoint] of request.endpoints.entries()) {
    try {
      for await (const chunk of fetchFrom(endpoint, request, { start: offset, signal: deadline.signal })) {
        offset += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      deadline.throwIfEnded(error);
      const isLast = index === request.endpoints.length - 1;
      if (isLast)
        throw error instanceof EarlyEnd ? wrongSize(request, offset) : toScanError(error, endpoint.host, what);
    }
  }
}

async function* fetchFrom(
  endpoint: Endpoint,
  request: BlobRequest,
  { start, signal }: { readonly start: number; readonly signal: AbortSignal },
): Bytes {
  const { retry, sizeBytes } = request;
  const attempts = new Attempts(retry, signal);
  let offset = start;
  for (;;) {
    const before = offset;
    try {
      for await (const chunk of openBody(endpoint, request, { offset, signal })) {
        offset += chunk.length;
        if (offset > sizeBytes) throw wrongSize(request, offset);
        yield chunk;
      }
      if (offset === sizeBytes) return;
      throw new EarlyEnd(`the body ended at byte ${offset}`);
    } catch (error) {
      if (offset - before >= progressBytes) attempts.startAgain();
      await attempts.pauseAfter(error, { isPassing: error instanceof EarlyEnd || isPassingError(error) });
    }
  }
}

/** The blob from an offset on, even if the server ignores ranges. */
async function* openBody(
  endpoint: Endpoint,
  request: BlobRequest,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): Bytes {
  const headers: Record<string, string> = offset === 0 ? {} : { range: `bytes=${offset}-` };
  const response = await endpoint.get(`blobs/${request.digest}`, { headers, signal }).catch((error: unknown) => {
    const endedBefore = error instanceof StatusError && error.status === 416;
    throw endedBefore ? wrongSize(request, offset) : error;
  });
  let excess = response.status === 206 ? 0 : offset;
  if (response.status === 206 && !startsAt(response.headers["content-range"], offset)) {
    await discardBody(response);
    const found = `expected blob ${request.digest} from byte ${offset} on, found another range`;
    const cause = new ResponseFailure("RESPONSE_RANGE", { host: endpoint.host, found });
    throw new ScanError("source_unreachable", `${endpoint.host}: ${found}`, { cause });
  }
  for await (const chunk of response.body as Bytes) {
    const skipped = Math.min(excess, chunk.length);
    excess -= skipped;
    if (skipped < chunk.length) yield chunk.subarray(skipped);
  }
}

function startsAt(contentRange: string | string[] | undefined, offset: number): boolean {
  return typeof contentRange === "string" && contentRange.startsWith(`bytes ${offset}-`);
}

function wrongSize({ digest, sizeBytes }: BlobRequest, found: number): ScanError {
  return new ScanError(
    "size_mismatch",
    `blob ${digest}: expected ${sizeBytes} bytes, found ${found > sizeBytes ? "more" : found}`,
  );
}
