import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** An answer whose body must be read or discarded. */
export interface OutboundResponse {
  /** Where it came from, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}
