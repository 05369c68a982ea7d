import { usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import { remember } from "@plimsoll/core/internal/remember";
import { parseBody, readerOf } from "../check-input.ts";
import {
  type AcceptedEncodings,
  checkContentEncoding,
  compressedEncodings,
  negotiateEncoding,
} from "../content-encoding.ts";
import { noneMatchNames } from "../entity-tag.ts";
import { RequestError } from "../errors.ts";
import { type Exchange, headerOf } from "../exchange.ts";
import { negotiate, parseContentType } from "../media-type.ts";
import { readParams, readQuery } from "../read-path.ts";
import { answered, type Stage } from "../stage.ts";
import type { DocumentFace, DocumentState } from "./document-face.ts";
import { type DocumentOperation, pending, ResultWithHeaders, typeNameOf } from "./document-operation.ts";
import { headersFrom, sendDocument, sendHead, sendSuccess } from "./send-document.ts";

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

/** Responds with `unchanged` if the client has the current document. */
const compareTags: DocumentStage = {
  phase: "prepare",
  stepFor: (operation) => {
    if (operation.entityTag === undefined && operation.links === undefined) return undefined;
    return (exchange) => {
      exchange.state.links = operation.links?.(exchange);
      return operation.entityTag?.(exchange).then((tag) => {
        exchange.state.tag = tag;
        return isUnchanged(operation, exchange, tag) ? sendUnchanged(operation, exchange) : undefined;
      });
    };
  },
};

function sendUnchanged({ unchanged = 304 }: DocumentOperation, { reply, state }: DocumentExchange): typeof answered {
  sendHead(reply, unchanged, headersFrom(state.tag, state.links));
  return answered;
}

function isUnchanged(
  { unchanged }: DocumentOperation,
  { request }: DocumentExchange,
  tag: string | undefined,
): boolean {
  return unchanged !== undefined && tag !== undefined && noneMatchNames(headerOf(request, "if-none-match"), tag);
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
        const ownTag = operation.tagOf?.(exchange, result);
        if (ownTag !== undefined) {
          state.tag = ownTag;
          if (isUnchanged(operation, exchange, ownTag)) return sendUnchanged(operation, exchange);
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
