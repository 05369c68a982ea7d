import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** A request and its response, in any version of HTTP. */
export interface RawExchange {
  readonly request: Pick<IncomingMessage, "headers">;
  readonly response: Pick<ServerResponse, "headersSent" | "writeContinue">;
}

/**
 * Sends `100 Continue` to a client that waits for it before sending its body. Call it when the caller is admitted and the body is needed.
 * It does nothing for a request without `Expect: 100-continue`.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 * @example
 * import type { FastifyReply, FastifyRequest } from "fastify";
 *
 * function readUpload(request: FastifyRequest, reply: FastifyReply) {
 *   askForBody({ request: request.raw, response: reply.raw });
 *   return request.raw; // the client sends the body now
 * }
 */
export function askForBody({ request, response }: RawExchange): void {
  if (request.headers.expect?.toLowerCase() !== "100-continue" || response.headersSent) return;
  delete request.headers.expect;
  response.writeContinue();
}

/**
 * Calls {@link askForBody} for all requests that pass the `onRequest` hooks of a Fastify instance, or of a plug-in's scope.
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * askForBodies(app); // after the hooks that may reject a request
 */
export function askForBodies(app: FastifyInstance): void {
  app.addHook("preParsing", ({ raw: request }, { raw: response }, _payload, done) => {
    askForBody({ request, response });
    done();
  });
}

/** Keeps Node from sending `100 Continue` at once, so that {@link askForBody} can send it later. */
export function holdExpectations(app: FastifyInstance): void {
  const { server } = app;
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
}
