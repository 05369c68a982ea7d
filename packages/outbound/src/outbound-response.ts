import type { IncomingHttpHeaders } from "node:http";
import type { ResponseBody } from "./response-body.ts";

/** A response. Its body must be read or discarded. */
export interface OutboundResponse {
  /** The URL that sent the response, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: ResponseBody;
}

/**
 * A response of {@link Outbound.fetch}: the part of the platform's `Response` that has limits. Its body must be read or discarded, with
 * `readBody`, `limitBody` or `discardBody`.
 */
export interface FetchResponse {
  /** The URL that sent the response, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Whether the status is a success. */
  readonly ok: boolean;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
}
