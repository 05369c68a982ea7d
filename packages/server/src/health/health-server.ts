import type { Duplex } from "node:stream";
import {
  type Api,
  type Operation,
  operationsFor,
  type ReplyTypes,
  RequestError,
  registerApi,
  registerUnknown,
} from "@plimsoll/http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import { Traffic } from "../serve/bound-traffic.ts";
import { hostProblem } from "../serve/host-problem.ts";
import { healthTrafficLimits } from "../serve/traffic-limits.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Creates the server for operators, which does not listen yet: `/healthz` responds while the process runs, `/readyz` if it can answer
 * requests, `/metrics` with metrics. No token is needed. Its limits of traffic are small, and its own: it answers while clients use up those
 * of the API.
 */
export function createHealthServer(sources: HealthSources): FastifyInstance {
  const app = fastify({
    http: { requireHostHeader: false }, // checked below, to respond in plain text
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    return503OnClosing: false,
    frameworkErrors: (_, request, reply) => sendError(new RequestError("unknown_path", request.url), request, reply),
    clientErrorHandler: refuseUnreadable,
  });
  const api: Api<undefined> = {
    operations: healthOperations,
    stages: [answerFrom(sources)],
    sendError,
    maxBodyBytes: 1,
    bodies: "streamed",
  };
  app.addHook("onRequest", ({ raw }, _, done) => {
    const problem = hostProblem(raw);
    done(problem === undefined ? undefined : new RequestError("malformed_request", problem));
  });
  const traffic = new Traffic(healthTrafficLimits);
  traffic.bound(app);
  app.addHook("onClose", async () => traffic[Symbol.dispose]());
  registerApi(app, api);
  registerUnknown(app, api);
  return app;
}

function answerFrom(sources: HealthSources): Api<undefined>["stages"][number] {
  return {
    phase: "transaction",
    stepFor: (operation) => async (exchange) => {
      await operation.handle(exchange, { ...sources, reply: exchange.reply });
      return undefined;
    },
  };
}

/** Responds with one line about a wrong request. An internal error closes the connection, which a probe counts as a failure. */
function sendError(thrown: unknown, _: FastifyRequest, reply: FastifyReply): unknown {
  if (!(thrown instanceof RequestError)) return reply.raw.destroy();
  if (thrown.code === "unknown_path") {
    return sendText(reply, 404, `expected one of ${healthOperations.map(({ path }) => path).join(", ")}\n`);
  }
  if (thrown.code === "method_not_allowed") return sendText(reply, 405, "expected GET\n");
  return sendText(reply, thrown.code === "precondition_failed" ? 412 : 400, `${thrown.message}\n`);
}

/** Answers 400 to bytes that are not an HTTP request, if the connection is still open. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const body = "expected an HTTP/1.1 request\n";
  const head = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`);
}

/** The sources of the health server's responses. */
interface HealthSources {
  readonly metrics: Metrics;
  /** Whether the process can answer requests, and why not. */
  readonly readiness: () => Promise<Readiness>;
  /** More metrics, in Prometheus' text format. */
  readonly moreFigures?: () => Promise<string>;
  /** More lines of text for `/readyz`. */
  readonly moreLines?: () => Promise<string>;
}

const operation = operationsFor<ReplyTypes<HealthSources & { readonly reply: FastifyReply }>>();

/** The operations for operators; they need no token. */
export const healthOperations: readonly Operation[] = [
  operation({
    id: "getHealth",
    method: "GET",
    path: "/healthz",
    summary: "Whether the process lives.",
    success: 200,
    handle: async (_, { reply }) => sendText(reply, 200, "ok\n"),
  }),
  operation({
    id: "getReadiness",
    method: "GET",
    path: "/readyz",
    summary: "Whether the service can work.",
    success: 200,
    async handle(_, { reply, readiness, moreLines }) {
      const { isReady, text } = await readiness();
      const more = isReady ? await moreLines?.().catch(() => "") : undefined;
      return sendText(reply, isReady ? 200 : 503, `${text}${more ?? ""}`);
    },
  }),
  operation({
    id: "getMetrics",
    method: "GET",
    path: "/metrics",
    summary: "How the service works, in Prometheus' text format.",
    success: 200,
    async handle(_, { reply, metrics, moreFigures }) {
      // If the additional metrics fail, the others are still sent.
      const text = (await metrics.text()) + ((await moreFigures?.().catch(() => "")) ?? "");
      return reply.header("content-type", metrics.contentType).send(text);
    },
  }),
];

/** Sends plain text. */
function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header("cache-control", "no-store").type("text/plain; charset=utf-8").send(text);
}
