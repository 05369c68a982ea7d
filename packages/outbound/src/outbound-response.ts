import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** A response. Its body must be read or discarded. */
export interface OutboundResponse {
  /** The URL that sent the response, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}
