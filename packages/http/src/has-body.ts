import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { FastifyInstance } from "fastify";

/** A request of any version of HTTP. */
export type AnyRequest = Pick<IncomingMessage, "headers"> | Pick<Http2ServerRequest, "headers" | "stream">;

/**
 * Whether a request has a body, of known length or not. HTTP/1.1 says so by its headers; HTTP/2 by not ending the stream with
 * them, and `Content-Length` is optional there.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3 and https://www.rfc-editor.org/rfc/rfc9113#section-8.1
 * @example
 * hasBody({ headers: { "content-length": "12" } }); // true
 * hasBody({ headers: {} }); // false
 */
export function hasBody(request: AnyRequest): boolean {
  if ("stream" in request && request.stream !== undefined) return !request.stream.endAfterHeaders;
  const { headers } = request;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Makes Fastify read the bodies of HTTP/2 that have neither `Content-Length` nor `Content-Type`. It looks for
 * `Transfer-Encoding`, which HTTP/2 does not have, and would drop them silently.
 */
export function readBodiesOfUnknownLength(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _, done) => {
    const { headers } = raw;
    if (headers["content-length"] === undefined && hasBody(raw)) headers["transfer-encoding"] ??= "chunked";
    done();
  });
}
