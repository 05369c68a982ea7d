import { maxDocumentBytes } from "@plimsoll/core/internal";
import { Attempts, type OutboundResponse, type RetryPolicy, startDeadline } from "@plimsoll/outbound";
import type { Endpoint } from "./endpoint.ts";
import { readDocument } from "./read-document.ts";
import { toScanError } from "./refusal.ts";

/** A document and the endpoints to fetch it from. */
export interface DocumentRequest {
  /** The path below `/v2/REPOSITORY/`. */
  readonly path: string;
  /** The name of the document in messages. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The endpoints, in the order in which they are tried. */
  readonly endpoints: readonly Endpoint[];
  readonly retry: RetryPolicy;
  /** The time limit for one endpoint, including all attempts. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Default: `maxDocumentBytes`. */
  readonly maxBytes?: number;
}

/** A received document, unchecked. */
export interface FetchedDocument {
  readonly bytes: Uint8Array;
  readonly headers: OutboundResponse["headers"];
}

/**
 * Fetches a document from the first endpoint that has it. If none has it, the error is that of the last one.
 * @throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `malformed_image`, `timed_out`, `aborted`
 */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument> {
  const { endpoints, what, signal } = request;
  for (const [index, endpoint] of endpoints.entries()) {
    const deadline = startDeadline(request.timeoutMs, `fetching ${what} from ${endpoint.host}`, signal);
    try {
      return await fetchFrom(endpoint, request, deadline.signal);
    } catch (error) {
      const isLast = index === endpoints.length - 1;
      if (isLast || signal?.aborted === true) {
        deadline.throwIfEnded(error);
        throw toScanError(error, endpoint.host, what);
      }
    }
  }
  throw new TypeError("expected at least one endpoint of a document, found none");
}

async function fetchFrom(endpoint: Endpoint, request: DocumentRequest, signal: AbortSignal): Promise<FetchedDocument> {
  const { path, what, headers, retry, maxBytes = maxDocumentBytes } = request;
  const attempts = new Attempts(retry, signal);
  for (;;) {
    const response = await endpoint.get(path, { headers, signal }); // retries by itself until the response begins
    try {
      return { bytes: await readDocument(response.body, maxBytes, what), headers: response.headers };
    } catch (error) {
      await attempts.pauseAfter(error);
    }
  }
}
