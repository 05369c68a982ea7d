import type { FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import { type Check, checkOf, convertQuery, parseBody } from "./check-input.ts";
import { RequestError } from "./errors.ts";
import { negotiate, parseContentType } from "./media-type.ts";
import type { BoundOperation, Input } from "./operation.ts";

/** Checks a request part by part and gives what the operation works with. @throws RequestError */
export type InputReader = (request: FastifyRequest, signal: AbortSignal) => Input;

/** The reader of an operation's requests: path, query, `Accept`, `Content-Type`, body, in this order. */
export function inputReader(operation: BoundOperation, api: Api): InputReader {
  const { params, query, request: content } = operation;
  const offered = offeredTypes(operation, api);
  const checkParams = params && checkOf("path", params);
  const checkQuery = query && checkOf("query", query);
  const readBody = content && bodyReader(api, content.type, checkOf("body", content.schema));
  return (request, signal) => {
    checkParams?.(request.params);
    const converted = query ? convertQuery(query, request.query as Record<string, unknown>) : {};
    checkQuery?.(converted);
    const mediaType = negotiate(headerOf(request, "accept"), offered);
    if (mediaType === undefined) {
      throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
    }
    return { params: request.params, query: converted, body: readBody?.(request), mediaType, signal };
  };
}

function bodyReader(api: Api, type: string, check: Check): (request: FastifyRequest) => unknown {
  const expected = api.mediaTypes(type);
  return (request) => {
    if (api.contentTypes === "checked") checkContentType(request, expected);
    const body = parseBody(request.body as Uint8Array | undefined);
    check(body);
    return body;
  };
}

function checkContentType(request: FastifyRequest, expected: readonly string[]): void {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new RequestError("unsupported_media_type", `Content-Encoding: expected identity, found ${encoding}`);
  }
  const found = parseContentType(request.headers["content-type"]);
  if (found === undefined || expected.includes(found)) return;
  throw new RequestError("unsupported_media_type", `Content-Type: expected ${expected.join(" or ")}, found ${found}`);
}

/** Where a success has no body, what is negotiated is the media type of errors. */
function offeredTypes({ response }: BoundOperation, api: Api): readonly string[] {
  return api.mediaTypes(response?.type ?? "error");
}

/** The lines of a request header as one. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
