import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { Tracer } from "@opentelemetry/api";
import {
  clientGoneStatus,
  isClientGone,
  notesOf,
  RequestError,
  traceAnswered,
  type UnreadableAnswer,
  unrouted,
  type WriteRefusal,
} from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccessLog, LoggedRequest } from "../logging/access-log.ts";
import type { RequestMetrics } from "../metrics/metrics.ts";
import { clientAddress, type TrustsAddress } from "./trusted-proxies.ts";

/** The destinations of recorded responses. */
export interface AnswerRecordOptions {
  readonly metrics: RequestMetrics;
  readonly clock: { now(): number };
  readonly accessLog?: Pick<AccessLog, "write">;
  readonly trusts?: TrustsAddress;
  /** Starts a span for each request without an operation; without it, they are not traced. */
  readonly tracer?: Tracer;
}

/** Records each response once, in metrics and access log, whichever code wrote it. */
export interface AnswerRecord {
  /** Records the responses of an app. Call it before adding a hook that may respond. */
  follow(app: FastifyInstance): void;
  /** Records the response to bytes that are not a request, or to a request whose body cannot be read. */
  unreadable(answer: UnreadableAnswer): void;
}

/** The recorded part of an HTTP/1.1 or HTTP/2 response. */
type RawResponse = ServerResponse | Http2ServerResponse;

/** Creates a recorder; call its `follow` for each app. */
export function recordAnswers({ metrics, clock, accessLog, trusts, tracer }: AnswerRecordOptions): AnswerRecord {
  const recorded = new WeakSet<object>();
  const record = (answered: LoggedRequest, request?: IncomingMessage) => {
    metrics.observe(answered);
    const isTraced = tracer === undefined || request === undefined || answered.traceId !== undefined;
    const traced = isTraced ? answered : { ...answered, traceId: traceEarly(tracer, request, answered) };
    accessLog?.write(traced);
  };
  /** Records a response that no hook has seen, when it ends. */
  const followRaw = (request: IncomingMessage, response: RawResponse | Socket) => {
    if (notesOf(request).operation !== undefined || !("statusCode" in response)) return;
    const start = performance.now();
    const { headers, socket } = request;
    const method = knownMethod(request.method);
    const address = clientAddress(socket.remoteAddress ?? "", headers, trusts);
    response.once("close", () => {
      const taken = { status: statusOf(response), seconds: (performance.now() - start) / 1000, ...bytesOf(response) };
      const at = clock.now();
      record(
        { ...notesOf(request), operation: unrouted, method, ...taken, address, requestId: randomUUID(), at },
        request,
      );
    });
  };
  const recordOnce = (request: FastifyRequest, reply: FastifyReply) => {
    if (isClientGone(reply.raw)) recorded.add(request.raw); // both `finish` and `close` may follow
    record(answerOf(request, reply, clock.now()), request.raw);
  };
  return {
    follow(app) {
      app.addHook("onRequest", (request, reply, done) => {
        const notes = notesOf(request.raw);
        notes.operation = request.routeOptions.config.operation ?? unrouted;
        notes.address = request.ip ?? "";
        reply.raw.once("close", () => {
          // Over HTTP/1.1, there is no `onResponse` for a client that has gone.
          if (isClientGone(reply.raw) && !recorded.has(request.raw)) recordOnce(request, reply);
        });
        done();
      });
      app.addHook("onResponse", (request, reply, done) => {
        if (!recorded.has(request.raw)) recordOnce(request, reply);
        done();
      });
      for (const event of ["request", "checkExpectation", "connect"]) app.server.on(event, followRaw);
    },
    unreadable({ request, method, status, bytes, socket }) {
      if (request !== undefined) recorded.add(request);
      const notes = request === undefined ? {} : notesOf(request);
      const { operation = unrouted, address = socket.remoteAddress ?? "" } = notes;
      const asked = { ...notes, operation, address, method: knownMethod(method) };
      record({ ...asked, status, seconds: 0, bytes, requestId: randomUUID(), at: clock.now() }, request);
    },
  };
}

function answerOf(request: FastifyRequest, reply: FastifyReply, at: number): LoggedRequest {
  const { id: requestId } = request;
  const notes = notesOf(request.raw);
  const { operation = unrouted, address = "" } = notes;
  const taken = {
    status: statusOf(reply.raw),
    seconds: reply.elapsedTime / 1000,
    ...bytesOf(reply),
    ...bytesOf(reply.raw),
  };
  return { ...notes, operation, method: knownMethod(request.method), ...taken, address, requestId, at };
}

function statusOf(response: RawResponse): number {
  return isClientGone(response) ? clientGoneStatus : response.statusCode;
}

function traceEarly(tracer: Tracer, request: IncomingMessage, answered: LoggedRequest): string {
  const { operation, method, status, seconds, at: endAt } = answered;
  return traceAnswered(tracer, request, { operation, method, status, startAt: endAt - 1000 * seconds, endAt });
}

/** The length of a response body, if a header states it. */
function bytesOf(reply: { getHeader(name: string): unknown }): { readonly bytes?: number } {
  const length = reply.getHeader("content-length");
  return length === undefined ? {} : { bytes: Number(length) };
}

const methods: ReadonlySet<string> = new Set(process.getBuiltinModule("node:http").METHODS);

/** Limits the methods in metrics, because HTTP/2 accepts any word as a method. */
function knownMethod(method = "other"): string {
  return methods.has(method) ? method : "other";
}

/**
 * Rejects CONNECT requests. In HTTP/2 the response has the form of an API, because Node's own one has no body. In HTTP/1.1 the connection
 * is closed, as Node does.
 * @see https://www.rfc-editor.org/rfc/rfc9113#section-8.5
 */
export function refuseTunnels({ server }: Pick<FastifyInstance, "server">, write: WriteRefusal): void {
  server.on("connect", (_: IncomingMessage, response: Http2ServerResponse | Socket) => {
    if (!(response instanceof Http2ServerResponse)) return void response.destroy();
    const error = new RequestError("method_not_allowed", "method: CONNECT is not supported");
    const { status, headers, body } = write(error, undefined);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
}
