import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request that passed all checks. Not to be spread: the signal would not come along. */
export interface Input<Params = unknown, Query = unknown, Body = unknown, Subject = unknown, Prepared = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** What the caller was admitted to. */
  readonly subject: Subject;
  /** What `prepare` resolved to. */
  readonly prepared: Prepared;
  /** The media type of the answer, where it is negotiated. */
  readonly mediaType: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * The same request with another query. Named one by one: what an input inherits is not spread.
 * @example
 * declare const input: Input;
 * const firstPage = withQuery(input, { limit: 10 });
 */
export function withQuery({ params, body, subject, prepared, mediaType, signal }: Input, query: object): Input {
  return { params, query, body, subject, prepared, mediaType, signal };
}

/** What is there when a request begins its way through the stages. */
export interface ExchangeParts<State> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: unknown;
  readonly state: State;
}

/**
 * One request on its way through the stages, each of which fills in its part.
 * @example
 * const refuseLongPaths: Stage = {
 *   phase: "identify",
 *   stepFor: () => (exchange: Exchange) => {
 *     if (exchange.request.url.length > 2_000) throw new RequestError("malformed_request", "path: it is too long");
 *     return undefined;
 *   },
 * };
 */
export class Exchange<State = unknown> implements Input {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  params: unknown;
  query: unknown;
  body: unknown;
  subject: unknown;
  prepared: unknown;
  mediaType = "application/json";
  /** What the stages of the API note for those after them. */
  state: State;
  /** What the handler resolved to. */
  result: unknown;
  #signal: AbortSignal | undefined;

  constructor({ request, reply, params, state }: ExchangeParts<State>) {
    this.request = request;
    this.reply = reply;
    this.params = params;
    this.query = undefined;
    this.body = undefined;
    this.subject = undefined;
    this.prepared = undefined;
    this.state = state;
    this.result = undefined;
  }

  /** Made when it is asked for: it costs more than the rest of the kernel, and most operations never ask. */
  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.reply.raw);
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

/**
 * The lines of a request header as one.
 * @example
 * import type { FastifyRequest } from "fastify";
 *
 * const isWanted = (request: FastifyRequest) => headerOf(request, "prefer") !== "return=minimal";
 */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
