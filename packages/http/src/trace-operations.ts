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
import type { Route } from "./exchange.ts";
import type { Operation } from "./operation.ts";
import { notesOf } from "./request-notes.ts";

/** Answers one request of one operation. Resolves to the reply if the response is not sent yet. */
export type Answer = (request: FastifyRequest, reply: FastifyReply, route: Route) => Promise<FastifyReply | undefined>;

const tracerOfApp = Symbol("plimsoll.tracer");

/**
 * Starts a span for each request that an operation answers. It applies to APIs that are registered later on this instance and its
 * plug-ins. The name of the span is the operation's id; its parent is the request's `traceparent`. Other instances are not traced, and
 * ignore `traceparent`.
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

/** The tracer of an instance; undefined if requests are not traced. */
export function tracerOf(app: FastifyInstance): Tracer | undefined {
  return app.hasDecorator(tracerOfApp) ? app.getDecorator<Tracer>(tracerOfApp) : undefined;
}

/**
 * Wraps an answer function in a span.
 * @param route the operation's path, from the root of the server
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-server
 */
export function tracedAnswer(
  answer: Answer,
  { id, secretParams }: Pick<Operation, "id" | "secretParams">,
  { tracer, route }: { readonly tracer: Tracer; readonly route: string },
): Answer {
  return (request, reply, routed) => {
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
    return context.with(trace.setSpan(parent, span), () => answer(request, reply, routed));
  };
}

/**
 * Records a span for a request that was answered before it reached an operation. The span has no path, because it is unknown which part
 * is secret.
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

/** The response to a request that reached no operation. */
export interface EarlyAnswer {
  /** The operation of its route, or {@link unrouted}. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Epoch milliseconds. */
  readonly startAt: number;
  /** Epoch milliseconds. */
  readonly endAt: number;
}

/** The path without the query. A URL with a host may contain a password, so its route is used instead. */
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
