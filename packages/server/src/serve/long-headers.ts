import type { IncomingMessage } from "node:http";
import { RequestError, type WriteRefusal } from "@plimsoll/http";
import type { FastifyInstance } from "fastify";

/** What a request may have in its first line and its headers together. */
const headBytes = 16 * 1024;

/**
 * What Node's parser is given room for: up to there a request is read as a whole, so that it is known which API it is for,
 * however its bytes come in. A connection needs no more memory than that for it.
 */
export const parserHeadBytes = 4 * headBytes;

/** Refuses requests with longer headers, by any version of HTTP, in the form of the API that they are for. */
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

/** As on the wire of HTTP/1.1, with a colon, a space and the end of the line. */
function bytesOf({ url = "", rawHeaders }: Pick<IncomingMessage, "url" | "rawHeaders">): number {
  let bytes = url.length + 2 * rawHeaders.length;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}
