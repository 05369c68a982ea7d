import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** A request and its answer, of any version of HTTP. */
export interface RawExchange {
  readonly request: Pick<IncomingMessage, "headers">;
  readonly response: Pick<ServerResponse, "headersSent" | "writeContinue">;
}

/**
 * Tells a client that waits with its body to send it. To be called once the caller is admitted and the body is wanted; a
 * client that sent no `Expect: 100-continue` is told nothing.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 * @example
 * import type { FastifyReply, FastifyRequest } from "fastify";
 *
 * function readUpload(request: FastifyRequest, reply: FastifyReply) {
 *   askForBody({ request: request.raw, response: reply.raw });
 *   return request.raw; // the body comes now
 * }
 */
export function askForBody({ request, response }: RawExchange): void {
  if (request.headers.expect?.toLowerCase() !== "100-continue" || response.headersSent) return;
  delete request.headers.expect;
  response.writeContinue();
}

/**
 * Asks for the bodies of all requests that get past the `onRequest` hooks of a Fastify instance, or of a plug-in's part of one.
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * askForBodies(app); // after the hooks that may refuse a request
 */
export function askForBodies(app: FastifyInstance): void {
  app.addHook("preParsing", ({ raw: request }, { raw: response }, _payload, done) => {
    askForBody({ request, response });
    done();
  });
}

/** Leaves it to {@link askForBody} when a client is told to send its body; Node tells it at once. */
export function holdExpectations(app: FastifyInstance): void {
  const { server } = app;
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
}
