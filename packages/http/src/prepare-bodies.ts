import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2Session } from "node:http2";
import type { FastifyInstance } from "fastify";
import { holdExpectations } from "./expect-continue.ts";
import { endResetConnections } from "./reset-connections.ts";

/**
 * Prepares a Fastify instance for the request bodies of the APIs. HTTP/2 bodies without a length are read. A client that waits for
 * `100 Continue` gets it after it is admitted. Bodies of rejected requests are not read to their end. A client that half-closes its
 * connection after a request is answered. Call it once for an instance.
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * prepareBodies(app);
 * registerApi(app, api);
 */
export function prepareBodies(app: FastifyInstance): void {
  Object.assign(app.server, { httpAllowHalfOpen: true });
  holdExpectations(app);
  readBodiesOfUnknownLength(app);
  stopRefusedBodies(app);
  endLeftSessions(app);
  endResetConnections(app);
}

/**
 * Ends HTTP/2 sessions whose client has closed its side. Because of `httpAllowHalfOpen`, they would stay half open, and their requests
 * would wait for the rest of their bodies forever.
 */
function endLeftSessions(app: FastifyInstance): void {
  app.server.on("session", (session: Http2Session) => {
    if (session.socket.readableEnded) session.destroy();
    else session.socket.once("end", () => session.destroy());
  });
}

/** How many bytes of an unwanted body are skipped, so that the connection can be reused. */
const maxPassedBytes = 256 * 1024;

/** How long a client may take to read its response before the connection, or the stream, is closed. */
const lingerMs = 500;

/**
 * Stops reading the body of a request that was answered before the body's end: a little is skipped, then the connection is closed. The
 * closing is delayed, because closing a connection with unread bytes can lose the response.
 */
function stopRefusedBodies(app: FastifyInstance): void {
  // Before Fastify, because requests that Fastify or the first hook rejects reach no other hook.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) watch(request, response);
  });
}

function watch(request: IncomingMessage | Http2ServerRequest, response: ServerResponse): void {
  if ("stream" in request) {
    const { stream } = request;
    stream.once("finish", () => {
      if (stream.readableEnded) return;
      stream.setTimeout(lingerMs, () => stream.close()); // other streams of the connection continue
      let passedBytes = 0;
      request.on("data", ({ length }: Buffer) => {
        passedBytes += length;
        if (passedBytes > maxPassedBytes) stream.close();
      });
      request.resume(); // Go's client loses the response if the stream is closed while a small body is in transit
    });
    return;
  }
  // Before Node's own listener, which would read and drop the rest of the body.
  response.prependOnceListener("finish", () => stopBody(request));
}

function stopBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.read(0); // marks the body as read by this code
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  const linger = () => {
    request.pause();
    socket.end();
    socket.setTimeout(lingerMs, () => socket.destroy());
  };
  socket.destroySoon = linger; // Node calls it for a response that closes its connection
  let passedBytes = 0;
  request.on("data", ({ length }: Buffer) => {
    passedBytes += length;
    if (passedBytes > maxPassedBytes && !socket.writableEnded) linger();
  });
  request.once("end", () => {
    socket.destroySoon = destroySoon;
  });
  request.resume();
}

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
function readBodiesOfUnknownLength(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _, done) => {
    const { headers } = raw;
    if (headers["content-length"] === undefined && hasBody(raw)) headers["transfer-encoding"] ??= "chunked";
    done();
  });
}
