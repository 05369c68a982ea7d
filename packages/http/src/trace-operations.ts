import type { IncomingMessage } from "node:http";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "./operation.ts";
import { notesOf } from "./request-notes.ts";

/** Answers one request of one operation. Resolves to the reply where the answer is still on its way. */
export type Answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  params: unknown,
) => Promise<FastifyReply | undefined>;

const tracerOfApp = Symbol("plimsoll.tracer");

/**
 * Makes a span of each request that an operation answers, for the APIs that are registered later on this instance and on its
 * plug-ins. The span has the operation's id as its name, and is a child of the request's `traceparent`. Other instances are not
 * traced, and look for no `traceparent`.
 *
 * @example
 * import { trace } from "@opentelemetry/api";
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * traceOperations(app, trace.getTracer("plimsoll"));
 * registerApi(app, api);
 */
export function traceOperations(app: FastifyInstance, tracer: Tracer): void {
  app.decorate(tracerOfApp, tracer);
}

/** The tracer of an instance; undefined where requests are not traced. */
export function tracerOf(app: FastifyInstance): Tracer | undefined {
  return app.hasDecorator(tracerOfApp) ? app.getDecorator<Tracer>(tracerOfApp) : undefined;
}

/**
 * The same answer within a span.
 * @param route the operation's path, from the root of the server
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export function tracedAnswer(
  answer: Answer,
  { id, secretParams }: Pick<Operation, "id" | "secretParams">,
  { tracer, route }: { readonly tracer: Tracer; readonly route: string },
): Answer {
  return (request, reply, params) => {
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = {
      "http.request.method": request.method,
      "http.route": route,
      "url.path": secretParams === undefined ? pathOf(request.url, route) : route,
      "url.scheme": request.protocol,
    };
    const span = tracer.startSpan(id, { kind: SpanKind.SERVER, attributes }, parent);
    notesOf(request.raw).traceId = span.spanContext().traceId;
    if (span.isRecording()) endWithAnswer(span, reply.raw);
    return context.with(trace.setSpan(parent, span), () => answer(request, reply, params));
  };
}

/**
 * Makes a span of a request that was answered before an operation saw it. The span says no path: which part of it is secret
 * is not known.
 * @returns the trace that it belongs to
 * @example
 * import type { Tracer } from "@opentelemetry/api";
 * import type { IncomingMessage } from "node:http";
 *
 * function traceRefusal(tracer: Tracer, request: IncomingMessage, startAt: number) {
 *   const method = request.method ?? "GET";
 *   return traceAnswered(tracer, request, { operation: unrouted, method, status: 503, startAt, endAt: Date.now() });
 * }
 */
export function traceAnswered(
  tracer: Tracer,
  { headers }: Pick<IncomingMessage, "headers">,
  { operation, method, status, startAt, endAt }: EarlyAnswer,
): string {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { "http.request.method": method };
  const span = tracer.startSpan(operation, { kind: SpanKind.SERVER, attributes, startTime: startAt }, parent);
  noteStatus(span, status);
  span.end(endAt);
  return span.spanContext().traceId;
}

/** How such a request was answered. */
export interface EarlyAnswer {
  /** The operation that its route is of, or {@link unrouted}. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Epoch milliseconds. */
  readonly startAt: number;
  /** Epoch milliseconds. */
  readonly endAt: number;
}

/** Without the query. An address with a host may hold a password: its route stands for it. */
function pathOf(url: string, route: string): string {
  if (url[0] !== "/") return route;
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function endWithAnswer(span: Span, response: FastifyReply["raw"]): void {
  const end = () => {
    if (response.headersSent) noteStatus(span, response.statusCode);
    span.end();
  };
  if (response.destroyed) end();
  else response.once("close", end);
}

function noteStatus(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status < 500) return;
  span.setAttribute("error.type", String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
