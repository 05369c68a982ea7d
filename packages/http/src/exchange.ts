import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request that passed all checks. Do not spread it: `signal` is a getter of the prototype and would be lost. */
export interface Input<Params = unknown, Query = unknown, Body = unknown, Subject = unknown, Prepared = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** What `access.admit` loaded. */
  readonly subject: Subject;
  /** What `prepare` resolved to. */
  readonly prepared: Prepared;
  /** The media type of the response, if it is negotiated. */
  readonly mediaType: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Copies a request with another query.
 * @example
 * declare const input: Input;
 * const firstPage = withQuery(input, { limit: 10 });
 */
export function withQuery({ params, body, subject, prepared, mediaType, signal }: Input, query: object): Input {
  return { params, query, body, subject, prepared, mediaType, signal };
}

/** The parts of an exchange before its first stage. */
export interface ExchangeParts<State> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly route: Route;
  readonly state: State;
}

/** The parameters of a request's path, and the other ways to read the path. */
export interface Route {
  readonly params: unknown;
  /** Absent for APIs whose paths can be read in one way only. */
  readonly others?: readonly Reading<unknown>[];
}

const none: readonly never[] = [];

/**
 * One request in the stages, each of which sets some of its members.
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
  /** Other operations that the path can mean as well, where the router allows that. */
  readonly otherReadings: readonly Reading<unknown>[];
  params: unknown;
  query: unknown;
  body: unknown;
  subject: unknown;
  prepared: unknown;
  mediaType = "application/json";
  /** The state that stages of the API share. */
  state: State;
  /** What the handler resolved to. */
  result: unknown;
  #signal: AbortSignal | undefined;

  constructor({ request, reply, route, state }: ExchangeParts<State>) {
    this.request = request;
    this.reply = reply;
    this.otherReadings = route.others ?? none;
    this.params = route.params;
    this.query = undefined;
    this.body = undefined;
    this.subject = undefined;
    this.prepared = undefined;
    this.state = state;
    this.result = undefined;
  }

  /** Created at the first use: it costs more than the rest of the kernel, and most operations never use it. */
  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.reply.raw);
    return this.#signal;
  }
}

/** A signal that is aborted when the client disconnects before the end of its response. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const check = () => {
    if (!response.writableFinished) gone.abort(new Error("the client disconnected"));
  };
  if (response.destroyed) check();
  else response.once("close", check);
  return gone.signal;
}

/**
 * A request header as one text, even if it was sent several times.
 * @example
 * import type { FastifyRequest } from "fastify";
 *
 * const isWanted = (request: FastifyRequest) => headerOf(request, "prefer") !== "return=minimal";
 */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** One way to read a path. */
export interface Reading<Each> {
  readonly operation: Each;
  readonly params: Readonly<Record<string, string>>;
}
