import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import type { Exchange } from "../exchange.ts";
import { addHeaders, type HeaderList, writeBody } from "../write-body.ts";
import type { DocumentState } from "./document-face.ts";
import type { DocumentOperation, Headers } from "./document-operation.ts";

/** Sends a result as JSON, in the negotiated media type and encoding. */
export function sendDocument(
  { reply, result, mediaType, state }: Exchange<DocumentState>,
  { success, lines, trailer }: DocumentOperation,
  { headers, errorTrailer }: { readonly headers: HeaderList; readonly errorTrailer: string },
): Promise<undefined> | undefined {
  headers.push("content-type", mediaType, "x-content-type-options", "nosniff");
  const writing = writeBody(reply.raw, {
    status: success,
    headers: outgoing(reply, headers),
    body: result,
    lines: lines === true && mediaType !== "application/json",
    encodings: state.encodings,
    errorTrailer: trailer ? errorTrailer : undefined,
  });
  if (writing !== undefined) return writing.then(() => void reply.hijack());
  reply.hijack();
  return undefined;
}

/** Sends a success without a body. A promised trailer is sent empty, because no error can occur any more. */
export function sendSuccess(
  reply: FastifyReply,
  { success, trailer }: DocumentOperation,
  { headers, errorTrailer }: { readonly headers: HeaderList; readonly errorTrailer: string },
): void {
  const { httpVersion, method } = reply.raw.req;
  if (!trailer || httpVersion === "1.0" || method === "HEAD") {
    sendHead(reply, success, success === 204 ? headers : [...headers, "content-length", 0]);
    return;
  }
  reply.hijack();
  reply.raw.writeHead(success, outgoing(reply, [...headers, "trailer", errorTrailer]));
  reply.raw.addTrailers({ [errorTrailer]: "" });
  reply.raw.end();
}

/** The headers of a response; of several with the same name, the first. */
export function headersFrom(tag: string | undefined, ...groups: readonly (Headers | undefined)[]): HeaderList {
  const list: HeaderList = tag === undefined ? [] : ["etag", `"${tag}"`];
  for (const headers of groups) addHeaders(list, headers);
  return list;
}

/** Sends a response without a body. */
export function sendHead(reply: FastifyReply, status: number, headers: HeaderList): void {
  reply.hijack();
  reply.raw.writeHead(status, outgoing(reply, headers)).end();
}

/** The operation's headers and those of hooks; of the same name, the operation's. */
function outgoing(reply: FastifyReply, headers: HeaderList): HeaderList {
  headers.push("vary", "Accept, Accept-Encoding");
  return addHeaders(headers, reply.getHeaders() as OutgoingHttpHeaders);
}
