import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import { compressedEncodings, negotiateEncoding } from "./content-encoding.ts";
import { noneMatchNames } from "./entity-tag.ts";
import { RequestError } from "./errors.ts";
import { addHeaders, type HeaderList } from "./header-list.ts";
import type { BoundOperation, Headers } from "./operation.ts";
import { headerOf, inputReader } from "./read-input.ts";
import { remember } from "./remember.ts";
import { writeBody } from "./write-body.ts";

/** Answers one request of one operation. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** How one operation is answered: checks, conditions, then the work. */
export function answerOf(operation: BoundOperation, api: Api): Answer {
  const { success, response, unchanged = 304 } = operation;
  const readInput = inputReader(operation, api);
  const encodingsFor = remember(negotiateEncoding);
  return async (request, reply) => {
    const encodings = encodingsFor(headerOf(request, "accept-encoding"));
    if (encodings === undefined) throw refuseEncodings(reply);
    const input = readInput(request, reply);
    const links = operation.links?.(input);
    const knownTag = await operation.entityTag?.(input);
    if (isUnchanged(operation, request, knownTag)) return sendHead(reply, unchanged, headersOf(knownTag, links));
    const { body, entityTag = knownTag, headers: own, isPending } = await operation.handle(input);
    if (isPending) return sendHead(reply, 202, ["content-length", 0]);
    const headers = headersOf(entityTag, own, links);
    if (isUnchanged(operation, request, entityTag)) return sendHead(reply, unchanged, headersOf(entityTag, links));
    if (response === undefined) return sendSuccess(reply, operation, headers, api.errorTrailer);
    headers.push("content-type", input.mediaType, "x-content-type-options", "nosniff");
    await writeBody(reply.raw, {
      status: success,
      headers: outgoing(reply, headers),
      body,
      lines: response.lines === true && input.mediaType !== "application/json",
      encodings,
      errorTrailer: operation.trailer ? api.errorTrailer : undefined,
    });
    reply.hijack();
  };
}

function refuseEncodings(reply: FastifyReply): RequestError {
  reply.header("accept-encoding", compressedEncodings);
  return new RequestError(
    "encoding_not_acceptable",
    `Accept-Encoding: expected identity or one of ${compressedEncodings}`,
  );
}

/** A success without a body. Where a trailer is promised, it comes, and empty: nothing can go wrong any more. */
function sendSuccess(reply: FastifyReply, operation: BoundOperation, headers: HeaderList, errorTrailer: string): void {
  const { success, trailer } = operation;
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

function isUnchanged({ unchanged }: BoundOperation, request: FastifyRequest, tag: string | undefined): boolean {
  return unchanged !== undefined && tag !== undefined && noneMatchNames(headerOf(request, "if-none-match"), tag);
}

/** The entity tag and what else is known; of the same name the first. */
function headersOf(tag: string | undefined, ...groups: readonly (Headers | undefined)[]): HeaderList {
  const list: HeaderList = tag === undefined ? [] : ["etag", `"${tag}"`];
  for (const headers of groups) addHeaders(list, headers);
  return list;
}

function sendHead(reply: FastifyReply, status: number, headers: HeaderList): void {
  reply.hijack();
  reply.raw.writeHead(status, outgoing(reply, headers)).end();
}

/** Ours and those that hooks have set; of the same name, ours. */
function outgoing(reply: FastifyReply, headers: HeaderList): HeaderList {
  headers.push("vary", "Accept, Accept-Encoding");
  return addHeaders(headers, reply.getHeaders() as OutgoingHttpHeaders);
}
