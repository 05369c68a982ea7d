import { maxDocumentBytes } from "@plimsoll/core";
import { Attempts, type OutboundResponse, type RetryPolicy, startDeadline } from "@plimsoll/outbound";
import type { Endpoint } from "./endpoint.ts";
import { readDocument } from "./read-document.ts";
import { toScanError } from "./refusal.ts";

/** A document and who has it. */
export interface DocumentRequest {
  /** Below `/v2/REPOSITORY/`. */
  readonly path: string;
  /** Names it in messages. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In the order they are to be asked. */
  readonly endpoints: readonly Endpoint[];
  readonly retry: RetryPolicy;
  /** With all attempts at one endpoint. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** `maxDocumentBytes` where absent. */
  readonly maxBytes?: number;
}

/** A document as it came, unchecked. */
export interface FetchedDocument {
  readonly bytes: Uint8Array;
  readonly headers: OutboundResponse["headers"];
}

/**
 * A document, from the first endpoint that has it. The error is that of the last one.
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
  throw new TypeError("a document needs an endpoint");
}

async function fetchFrom(endpoint: Endpoint, request: DocumentRequest, signal: AbortSignal): Promise<FetchedDocument> {
  const { path, what, headers, retry, maxBytes = maxDocumentBytes } = request;
  const attempts = new Attempts(retry, signal);
  for (;;) {
    const response = await endpoint.get(path, { headers, signal }); // makes as many attempts as an answer takes
    try {
      return { bytes: await readDocument(response.body, maxBytes, what), headers: response.headers };
    } catch (error) {
      await attempts.pauseAfter(error);
    }
  }
}
