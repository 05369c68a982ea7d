import type { IncomingMessage } from "node:http";
import { RequestError, type WriteRefusal } from "@plimsoll/http";
import type { FastifyInstance } from "fastify";

/** The size limit of a request line and headers together. */
const headBytes = 16 * 1024;

/**
 * The size limit of Node's parser. It is larger than {@link headBytes}, so that a request with too long headers is parsed and can be
 * rejected in the form of its API. It also bounds the memory of a connection.
 */
export const parserHeadBytes = 4 * headBytes;

/** Rejects requests with too long headers, in any version of HTTP and in the form of the API that they belong to. */
export function refuseLongHeaders(app: FastifyInstance, write: WriteRefusal): void {
  app.addHook("onRequest", ({ raw, url }, reply, done) => {
    if (bytesOf(raw) <= headBytes) return done();
    const { status, headers, body } = write(longHeaders(), url);
    if (raw.httpVersionMajor < 2) reply.raw.setHeader("connection", "close");
    reply.hijack();
    reply.raw.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    reply.raw.end(body);
  });
}

function longHeaders(): RequestError {
  return new RequestError("headers_too_large", "headers: expected at most 16 KB in total");
}

/** The size in HTTP/1.1, with a colon, a space and a line end for each header. */
function bytesOf({ url = "", rawHeaders }: Pick<IncomingMessage, "url" | "rawHeaders">): number {
  let bytes = url.length + 2 * rawHeaders.length;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
