import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import { type AcceptedEncodings, compressedEncodings, negotiateEncoding } from "./content-encoding.ts";
import { noneMatchNames } from "./entity-tag.ts";
import type { BoundOperation, Headers, Outcome } from "./operation.ts";
import { headerOf, inputReader } from "./read-input.ts";
import { writeBody } from "./write-body.ts";

/** Answers one request of one operation. */
export type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** How one operation is answered: checks, conditions, then the work. */
export function answerOf(operation: BoundOperation, api: Api): Answer {
  const readInput = inputReader(operation, api);
  return async (request, reply) => {
    const encodings = negotiateEncoding(headerOf(request, "accept-encoding"));
    if (encodings === undefined) return refuseEncodings(reply);
    const gone = new AbortController();
    reply.raw.once("close", () => {
      if (!reply.raw.writableFinished) gone.abort(new Error("the client went away"));
    });
    const input = readInput(request, gone.signal);
    const links = operation.links?.(input) ?? {};
    const knownTag = await operation.entityTag?.(input);
    if (isUnchanged(operation, request, knownTag)) return sendUnchanged(operation, reply, links, knownTag);
    const outcome = await operation.handle(input);
    const tag = outcome.entityTag ?? knownTag;
    if (isUnchanged(operation, request, tag)) return sendUnchanged(operation, reply, links, tag);
    const headers = { ...links, ...outcome.headers, ...tagHeader(tag) };
    await send(reply, {
      operation,
      outcome,
      headers,
      mediaType: input.mediaType,
      encodings,
      errorTrailer: api.errorTrailer,
    });
  };
}

function isUnchanged({ unchanged }: BoundOperation, request: FastifyRequest, tag: string | undefined): boolean {
  return unchanged !== undefined && tag !== undefined && noneMatchNames(headerOf(request, "if-none-match"), tag);
}

function sendUnchanged(operation: BoundOperation, reply: FastifyReply, links: Headers, tag: string | undefined): void {
  reply.hijack();
  reply.raw.writeHead(operation.unchanged ?? 304, outgoing(reply, { ...links, ...tagHeader(tag) })).end();
}

function refuseEncodings(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(415, outgoing(reply, { "accept-encoding": compressedEncodings })).end();
}

interface Sending {
  readonly operation: BoundOperation;
  readonly outcome: Outcome;
  readonly headers: Headers;
  readonly mediaType: string;
  readonly encodings: AcceptedEncodings;
  readonly errorTrailer: string;
}

async function send(reply: FastifyReply, sending: Sending): Promise<void> {
  const { operation, outcome, mediaType, encodings } = sending;
  const headers = outgoing(reply, sending.headers);
  if (operation.response === undefined) {
    reply.hijack();
    reply.raw.writeHead(operation.success, operation.success === 204 ? headers : { ...headers, "content-length": 0 });
    reply.raw.end();
    return;
  }
  await writeBody(reply.raw, {
    status: operation.success,
    headers: { ...headers, "content-type": mediaType, "x-content-type-options": "nosniff" },
    body: outcome.body,
    lines: operation.response.lines ?? false,
    encodings,
    ...(operation.trailer && { errorTrailer: sending.errorTrailer }),
  });
  reply.hijack();
}

function tagHeader(tag: string | undefined): Headers {
  return tag === undefined ? {} : { etag: `"${tag}"` };
}

/** Headers as Node writes them, those that hooks have set among them. */
function outgoing(reply: FastifyReply, headers: Headers): OutgoingHttpHeaders {
  const own = Object.entries({ ...headers, vary: "Accept, Accept-Encoding" });
  return Object.fromEntries([
    ...Object.entries(reply.getHeaders()),
    ...own.map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  ]);
}
