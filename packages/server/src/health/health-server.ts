import type { Duplex } from "node:stream";
import { type Api, RequestError, registerApi, registerUnknown } from "@plimsoll/http";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { hostProblem } from "../serve/host-problem.ts";
import { type HealthSources, healthOperations, sendText } from "./operations.ts";

/**
 * The server for those who run the service, not listening yet: `/healthz` says that the process lives, `/readyz` whether it
 * can work, `/metrics` how it does. No token is needed.
 */
export function createHealthServer(sources: HealthSources): FastifyInstance {
  const app = fastify({
    http: { requireHostHeader: false }, // refused below, in plain text
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

/** Says in a line what is wrong with a request. What fails on our side ends the connection: a probe takes it for no answer. */
function sendError(thrown: unknown, _: FastifyRequest, reply: FastifyReply): unknown {
  if (!(thrown instanceof RequestError)) return reply.raw.destroy();
  if (thrown.code === "unknown_path") {
    return sendText(reply, 404, `there are ${healthOperations.map(({ path }) => path).join(", ")}\n`);
  }
  if (thrown.code === "method_not_allowed") return sendText(reply, 405, "expected GET\n");
  return sendText(reply, 400, `${thrown.message}\n`);
}

/** Answers 400 to bytes that are no HTTP request, where the client still reads. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const body = "expected a request of HTTP/1.1\n";
  const head = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`);
}
