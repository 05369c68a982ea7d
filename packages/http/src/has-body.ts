import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { FastifyInstance } from "fastify";

/** A request in any version of HTTP. */
export type AnyRequest = Pick<IncomingMessage, "headers"> | Pick<Http2ServerRequest, "headers" | "stream">;

/**
 * Whether a request has a body, of known length or not. In HTTP/1.1 its headers say so. In HTTP/2 the stream continues after the headers,
 * and `Content-Length` is optional.
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
 * Makes Fastify read HTTP/2 bodies without `Content-Length` and `Content-Type`. Without `Transfer-Encoding`, which HTTP/2 does not have,
 * Fastify would drop them silently.
 */
export function readBodiesOfUnknownLength(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _, done) => {
    const { headers } = raw;
    if (headers["content-length"] === undefined && hasBody(raw)) headers["transfer-encoding"] ??= "chunked";
    done();
  });
}
