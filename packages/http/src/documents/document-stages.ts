import type { OutgoingHttpHeaders } from "node:http";
import { usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import { remember } from "@plimsoll/core/internal/remember";
import type { FastifyReply } from "fastify";
import { parseBody, readerOf } from "../check-input.ts";
import {
  type AcceptedEncodings,
  checkContentEncoding,
  compressedEncodings,
  negotiateEncoding,
} from "../content-encoding.ts";
import { checkMatch, judgeConditions, noneMatchNames } from "../entity-tag.ts";
import { RequestError } from "../errors.ts";
import { type Exchange, headerOf } from "../exchange.ts";
import { negotiate, parseContentType } from "../media-type.ts";
import { readParams, readQuery } from "../read-path.ts";
import { answered, type Stage } from "../stage.ts";
import { addHeaders, type HeaderList, writeBody } from "../write-body.ts";
import type { DocumentFace, DocumentState } from "./document-face.ts";
import { type DocumentOperation, type Headers, pending, ResultWithHeaders, typeNameOf } from "./document-operation.ts";

const plain: AcceptedEncodings = { best: "identity", small: "identity" };

/** The initial state of a request. */
export function newDocumentState(): DocumentState {
  return { encodings: plain, links: undefined, tag: undefined };
}

type DocumentStage = Stage<DocumentState, DocumentOperation>;
type DocumentExchange = Exchange<DocumentState>;

/** The stages of an API of JSON documents, in their order. */
export function documentStages(face: DocumentFace): readonly DocumentStage[] {
  return [
    negotiateEncodings,
    readParams,
    readQuery,
    negotiateType(face),
    readDocument(face),
    compareTags,
    writeDocument(face),
  ];
}

const negotiateEncodings: DocumentStage = {
  phase: "read",
  stepFor: () => {
    const encodingsFor = remember(negotiateEncoding);
    return ({ request, reply, state }) => {
      const encodings = encodingsFor(headerOf(request, "accept-encoding"));
      if (encodings === undefined) {
        reply.header("accept-encoding", compressedEncodings);
        const message = `Accept-Encoding: expected identity or one of ${compressedEncodings}`;
        throw new RequestError("encoding_not_acceptable", message);
      }
      state.encodings = encodings;
      return undefined;
    };
  },
};

/** If a success has no body, the media type of errors is negotiated. */
function negotiateType({ mediaTypes }: DocumentFace): DocumentStage {
  return {
    phase: "read",
    stepFor: (operation) => {
      const offered = mediaTypes(operation.result === undefined ? "error" : resultName(operation));
      const mediaTypeFor = remember((accept) => negotiate(accept, offered));
      return (exchange) => {
        const mediaType = mediaTypeFor(headerOf(exchange.request, "accept"));
        if (mediaType === undefined)
          throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
        exchange.mediaType = mediaType;
        return undefined;
      };
    },
  };
}

/** The short name of the media type of a result; for lines, the plural. */
export function resultName({ result, lines }: Pick<DocumentOperation, "result" | "lines">): string {
  if (result === undefined) return "error";
  return lines ? `${typeNameOf(result)}s` : typeNameOf(result);
}

/** The limits of documents that only other services send, such as the report of an image with 100,000 packages. */
const internalLimits = { mostValues: 2_000_000, mostDepth: 100 } as const;

function readDocument({ mediaTypes, contentTypes }: DocumentFace): DocumentStage {
  return {
    phase: "read",
    stepFor: ({ body: schema, internal }) => {
      if (schema === undefined) return undefined;
      const limits = internal ? internalLimits : usualJsonLimits;
      const read = readerOf("body", schema);
      const expected = mediaTypes(typeNameOf(schema));
      return (exchange) => {
        const bytes = exchange.request.body as Uint8Array | undefined;
        if (contentTypes === "checked" && bytes !== undefined && bytes.length > 0) checkContentType(exchange, expected);
        exchange.body = read(parseBody(bytes, limits));
        return undefined;
      };
    },
  };
}

function checkContentType({ request }: DocumentExchange, expected: readonly string[]): void {
  checkContentEncoding(request.headers);
  const found = parseContentType(request.headers["content-type"]);
  if (found !== undefined && expected.includes(found)) return;
  const message = `Content-Type: expected ${expected.join(" or ")}, found ${found ?? "none"}`;
  throw new RequestError("unsupported_media_type", message);
}

/** Whether the version is known in time to judge `If-Match`: of a change, before it is made. */
export function judgesConditions({ method, entityTag, tagOf }: DocumentOperation): boolean {
  return entityTag !== undefined || (tagOf !== undefined && method === "GET");
}

/** Refuses other versions than the current one, and responds with `unchanged` if the client has the current document. */
const compareTags: DocumentStage = {
  phase: "prepare",
  stepFor: (operation) => {
    if (operation.entityTag === undefined && operation.links === undefined) return undefined;
    return (exchange) => {
      exchange.state.links = operation.links?.(exchange);
      return operation.entityTag?.(exchange).then((tag) => {
        exchange.state.tag = tag;
        if (tag === undefined && operation.method === "GET") return undefined; // where nothing is found, the answer is that
        return isUnchanged(operation, exchange, tag) ? sendUnchanged(operation, exchange) : undefined;
      });
    };
  },
};

function sendUnchanged({ unchanged = 304 }: DocumentOperation, { reply, state }: DocumentExchange): typeof answered {
  sendHead(reply, unchanged, headersFrom(state.tag, state.links));
  return answered;
}

/** Whether `unchanged` answers a request. @throws RequestError `precondition_failed` */
function isUnchanged(
  { unchanged }: DocumentOperation,
  { request: { headers } }: DocumentExchange,
  tag: string | undefined,
): boolean {
  if (unchanged === 412) return judgeConditions(headers, { tag, isRead: false }) === "failed";
  checkMatch(headers, tag);
  return unchanged !== undefined && tag !== undefined && noneMatchNames(headers["if-none-match"], tag);
}

function writeDocument({ errorTrailer }: DocumentFace): DocumentStage {
  return {
    phase: "write",
    stepFor: (operation) => {
      return (exchange) => {
        const { result, headers: own } = unwrapped(exchange.result);
        exchange.result = result;
        const { reply, state } = exchange;
        if (result === pending) return void sendHead(reply, 202, ["content-length", 0]);
        if (state.tag === undefined) {
          state.tag = operation.tagOf?.(exchange, result);
          if (isUnchanged(operation, exchange, state.tag)) return sendUnchanged(operation, exchange);
        }
        const headers = headersFrom(state.tag, own, operation.headersOf?.(exchange), state.links);
        if (operation.result === undefined) return void sendSuccess(reply, operation, { headers, errorTrailer });
        return sendDocument(exchange, operation, { headers, errorTrailer });
      };
    },
  };
}

function unwrapped(result: unknown): Pick<ResultWithHeaders, "result"> & Partial<ResultWithHeaders> {
  return result instanceof ResultWithHeaders ? result : { result };
}

/** Sends a result as JSON, in the negotiated media type and encoding. */
function sendDocument(
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
function sendSuccess(
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
function headersFrom(tag: string | undefined, ...groups: readonly (Headers | undefined)[]): HeaderList {
  const list: HeaderList = tag === undefined ? [] : ["etag", `"${tag}"`];
  for (const headers of groups) addHeaders(list, headers);
  return list;
}

/** Sends a response without a body. */
function sendHead(reply: FastifyReply, status: number, headers: HeaderList): void {
  reply.hijack();
  reply.raw.writeHead(status, outgoing(reply, headers)).end();
}

/** The operation's headers and those of hooks; of the same name, the operation's. */
function outgoing(reply: FastifyReply, headers: HeaderList): HeaderList {
  headers.push("vary", "Accept, Accept-Encoding");
  return addHeaders(headers, reply.getHeaders() as OutgoingHttpHeaders);
}
