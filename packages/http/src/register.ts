import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerOf } from "./answer.ts";
import type { Api } from "./api.ts";
import { RequestError } from "./errors.ts";
import { askForBodies } from "./expect-continue.ts";
import type { Operation } from "./operation.ts";

/** Serves an API on a Fastify instance, or on a plug-in's part of one. Every error is answered as the API says. */
export function registerApi<State>(app: FastifyInstance, api: Api<State>): void {
  askForBodies(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: api.maxBodyBytes }, (_, body, done) =>
    done(null, body),
  );
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  for (const operation of api.operations) {
    const answer = answerOf(operation, api);
    app.route({
      method: [...methodsOf(operation)],
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      bodyLimit: api.maxBodyBytes,
      exposeHeadRoute: false,
      config: { operation: operation.id },
      handler: (request, reply) => answer(request, reply, request.params),
    });
  }
  registerErrors(app, api);
}

/** Answers what hooks throw outside operations as the API says: for an instance that serves nothing else. */
export function registerErrors(app: FastifyInstance, { sendError }: Pick<Api, "sendError">): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Answers unknown paths and wrong methods as the API says: for an instance that serves nothing else. */
export function registerUnknown(
  app: FastifyInstance,
  { operations, sendError }: Pick<Api, "operations" | "sendError">,
): void {
  app.setNotFoundHandler((request, reply) => sendError(unknownRequest(operations, request, reply), request, reply));
}

function unknownRequest(operations: readonly Operation[], request: FastifyRequest, reply: FastifyReply): Error {
  const path = request.url.split("?")[0] ?? "";
  const methods = operations.filter((operation) => pathPattern(operation).test(path)).flatMap(methodsOf);
  if (methods.length === 0) return new RequestError("unknown_path", `there is nothing at ${path.slice(0, 200)}`);
  reply.header("allow", methods.join(", "));
  return new RequestError("method_not_allowed", `${path.slice(0, 200)}: expected ${methods.join(" or ")}`);
}

/** What can be got can be asked for without its body. @see https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function methodsOf({ method }: Operation): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
