import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import { type Check, checkOf, parseBody, queryConverter } from "./check-input.ts";
import { checkContentEncoding } from "./content-encoding.ts";
import { RequestError } from "./errors.ts";
import { negotiate, parseContentType } from "./media-type.ts";
import type { BoundOperation, Input } from "./operation.ts";
import { remember } from "./remember.ts";

/** Checks a request part by part and gives what the operation works with. @throws RequestError */
export type InputReader = (request: FastifyRequest, reply: FastifyReply) => Input;

/** The reader of an operation's requests: path, query, `Accept`, `Content-Type`, body, in this order. */
export function inputReader(operation: BoundOperation, api: Api): InputReader {
  const { params, query, request: content } = operation;
  const offered = offeredTypes(operation, api);
  const mediaTypeFor = remember((accept) => negotiate(accept, offered));
  const checkParams = params && checkOf("path", params);
  const convertQuery = query && queryConverter(query);
  const checkQuery = query && checkOf("query", query);
  const readBody = content && bodyReader(api, content.type, checkOf("body", content.schema));
  return (request, reply) => {
    checkParams?.(request.params);
    const converted = convertQuery?.(request.query as Record<string, unknown>) ?? {};
    checkQuery?.(converted);
    const mediaType = mediaTypeFor(headerOf(request, "accept"));
    if (mediaType === undefined) {
      throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
    }
    const body = readBody?.(request);
    return new CheckedInput({ params: request.params, query: converted, body, mediaType }, reply.raw);
  };
}

/** Most operations never ask for the signal, which costs more than the rest of the kernel: it is made when one does. */
class CheckedInput implements Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly mediaType: string;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor({ params, query, body, mediaType }: Omit<Input, "signal">, response: ServerResponse) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.mediaType = mediaType;
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.#response);
    return this.#signal;
  }
}

/** Aborted when the client goes away without its answer. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const check = () => {
    if (!response.writableFinished) gone.abort(new Error("the client went away"));
  };
  if (response.destroyed) check();
  else response.once("close", check);
  return gone.signal;
}

function bodyReader(api: Api, type: string, check: Check): (request: FastifyRequest) => unknown {
  const expected = api.mediaTypes(type);
  return (request) => {
    const bytes = request.body as Uint8Array | undefined;
    if (api.contentTypes === "checked" && bytes !== undefined && bytes.length > 0) checkContentType(request, expected);
    const body = parseBody(bytes);
    check(body);
    return body;
  };
}

function checkContentType(request: FastifyRequest, expected: readonly string[]): void {
  checkContentEncoding(request.headers);
  const found = parseContentType(request.headers["content-type"]);
  if (found !== undefined && expected.includes(found)) return;
  const message = `Content-Type: expected ${expected.join(" or ")}, found ${found ?? "none"}`;
  throw new RequestError("unsupported_media_type", message);
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
