import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Api, Routing } from "./api.ts";
import { isClientGone } from "./client-gone.ts";
import { checkMatch, checkOnlyNew } from "./entity-tag.ts";
import { RequestError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import { askForBodies } from "./expect-continue.ts";
import type { Operation } from "./operation.ts";
import { notesOf } from "./request-notes.ts";
import { createRouter } from "./router.ts";
import { answered, type Stage, stepsOf } from "./stage.ts";
import { type Answer, tracedAnswer, tracerOf } from "./trace-operations.ts";

/**
 * Serves an API on a Fastify instance, or on a plug-in's scope. Errors are sent in the form of the API.
 * @example
 * import fastify from "fastify";
 *
 * declare const operations: readonly DocumentOperation[];
 * declare const face: DocumentFace;
 * const app = fastify();
 * app.register(async (scope) => registerApi(scope, documentApi(operations, face)));
 * await app.listen({ port: 8080 });
 */
export function registerApi<State, Each extends Operation>(app: FastifyInstance, api: Api<State, Each>): void {
  app.removeAllContentTypeParsers();
  parseBodies(app, api);
  if (api.namesRequests) nameRequests(app);
  if (api.routing === undefined) registerOperations(app, api);
  else registerRouted(app, api, api.routing);
  registerErrors(app, api);
}

function parseBodies(
  app: FastifyInstance,
  { bodies, maxBodyBytes, turnOfBody }: Pick<Api, "bodies" | "maxBodyBytes" | "turnOfBody">,
): void {
  if (bodies !== "streamed" && bodies !== "raw") askForBodies(app); // other bodies: the stage that reads them calls askForBody
  if (typeof bodies === "object") {
    const { mediaType, parse } = bodies;
    const text = { parseAs: "string", bodyLimit: maxBodyBytes } as const;
    app.addContentTypeParser(mediaType, text, (_, body, done) => done(null, parse(String(body))));
    return;
  }
  if (bodies !== "buffered") {
    app.addContentTypeParser("*", (_, body, done) => done(null, body)); // a stage reads it
    return;
  }
  const buffer = { parseAs: "buffer", bodyLimit: maxBodyBytes } as const;
  app.addContentTypeParser("*", buffer, async (_: FastifyRequest, body: Buffer) => {
    await turnOfBody?.(body.length);
    return body;
  });
}

function nameRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
}

/** Creates the functions that answer operations: within a span, if the instance is traced at this time. */
function answersOf<State, Each extends Operation>(
  app: FastifyInstance,
  api: Pick<Api<State, Each>, "routing"> & AnswerParts<State, Each>,
): (operation: Each) => Answer {
  const tracer = tracerOf(app);
  if (tracer === undefined) return (operation) => answerOf(operation, api);
  const prefix = app.prefix + (api.routing?.prefix ?? "");
  return (operation) => tracedAnswer(answerOf(operation, api), operation, { tracer, route: prefix + operation.path });
}

/** Registers each operation as a route of Fastify. */
function registerOperations<State, Each extends Operation>(app: FastifyInstance, api: Api<State, Each>): void {
  const newAnswer = answersOf(app, api);
  for (const operation of api.operations) {
    const answer = newAnswer(operation);
    app.route({
      method: [...methodsOf(operation)],
      url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      bodyLimit: api.maxBodyBytes,
      exposeHeadRoute: false,
      config: { operation: operation.id },
      handler: (request, reply) => answer(request, reply, { params: request.params }),
    });
  }
}

const routedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Registers all operations as one route, whose paths the kernel routes. */
function registerRouted<State, Each extends Operation>(
  app: FastifyInstance,
  api: Api<State, Each>,
  routing: Routing<Each>,
): void {
  const { prefix, headAsGet } = routing;
  const find = createRouter(api.operations, routing);
  const newAnswer = answersOf(app, api);
  const answers = new Map(api.operations.map((operation) => [operation, newAnswer(operation)]));
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { url } = request;
    const end = url.indexOf("?");
    const path = url.slice(prefix.length, end < 0 ? undefined : end);
    const method = headAsGet && request.method === "HEAD" ? "GET" : request.method;
    const route = find(method, path);
    if (route.kind === "unknown") throw routing.unknownPath(request);
    if (route.kind === "wrong-method") throw routing.wrongMethod(route.others);
    const answerRoute = answers.get(route.operation);
    return answerRoute?.(request, reply, route);
  };
  const hasRoot = api.operations.some(({ path }) => path === "/");
  const config = { operations: api.operations.map(({ id }) => id) };
  for (const url of [...(hasRoot ? [prefix] : []), `${prefix}/*`]) {
    app.route({
      method: routedMethods,
      url,
      bodyLimit: api.maxBodyBytes,
      exposeHeadRoute: false,
      config,
      ...(api.bodies === "raw" ? rawRoute(answer, api) : { handler: answer }),
    });
  }
}

/** Responds before Fastify reads the body or checks its type. */
function rawRoute(
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>,
  { sendError }: Pick<Api, "sendError">,
) {
  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      answer(request, reply).catch((thrown) => sendError(thrown, request, reply));
    },
    handler: async () => {},
  };
}

/** An operation for requests that match no route. */
export interface Fallback<State = unknown, Each extends Operation = Operation>
  extends Pick<Api<State, Each>, "stages" | "begin" | "judgesConditions"> {
  readonly operation: Each;
  /** Whether it answers a request; other requests are unknown. */
  readonly answers: (request: FastifyRequest) => boolean;
}

/**
 * Answers requests that match no route with one operation: for a page that handles all other paths.
 * @example
 * import type { FastifyInstance, FastifyRequest } from "fastify";
 *
 * declare const app: FastifyInstance;
 * declare const showPage: Operation;
 * declare const stages: readonly Stage[];
 * const isVisit = ({ headers }: FastifyRequest) => headers.accept?.includes("text/html") ?? false;
 * registerFallback(app, { operation: showPage, stages, answers: isVisit });
 */
export function registerFallback<State, Each extends Operation>(
  app: FastifyInstance,
  { operation, answers, ...api }: Fallback<State, Each>,
): void {
  const answer = answersOf(app, api)(operation);
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !answers(request)) return done();
    answer(request, reply, { params: undefined }).catch(done);
  });
}

/**
 * Sends errors of hooks outside operations in the form of the API: for an instance with only one API.
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * app.register(async (scope) => registerApi(scope, api));
 * registerErrors(app, api); // also for what hooks of `app` throw
 */
export function registerErrors(app: FastifyInstance, { sendError }: Pick<Api, "sendError">): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/**
 * Rejects unknown paths and wrong methods in the form of the API: for an instance with only one API.
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * registerApi(app, api);
 * registerUnknown(app, api); // 404, and 405 with `Allow`, in the form of the API
 */
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

/** HEAD is allowed wherever GET is. @see https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2 */
function methodsOf({ method, withoutHead }: Operation): readonly string[] {
  return method === "GET" && !withoutHead ? ["GET", "HEAD"] : [method];
}

function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/** The parts of an API by which one operation answers. */
type AnswerParts<State, Each extends Operation> = Pick<Api<State, Each>, "stages" | "begin" | "judgesConditions">;

/** Combines the stages of an API to one function for the requests of an operation. */
function answerOf<State, Each extends Operation>(
  operation: Each,
  { stages, begin, judgesConditions = declaresVersion }: AnswerParts<State, Each>,
): Answer {
  const { id } = operation;
  const steps = stepsOf(operation, judgesConditions(operation) ? stages : [refuseConditions, ...stages]);
  const newState = begin ?? (() => undefined as State);
  return async (request, reply, route) => {
    notesOf(request.raw).operation = id;
    const exchange = new Exchange<State>({ request, reply, route, state: newState() });
    for (const step of steps) {
      if (isClientGone(reply.raw)) return void reply.hijack(); // nothing is done for a client that does not wait
      const done = step(exchange);
      if (done !== undefined && (done === answered || (await done) === answered)) break;
    }
    return reply.sent ? undefined : reply; // Fastify would await a returned reply, which costs more than most responses
  };
}

function declaresVersion({ hasVersion }: Operation): boolean {
  return hasVersion === true;
}

/**
 * Refuses conditions that cannot be judged for what has no version: tags in `If-Match`, and `If-None-Match: *` of a change. OPTIONS is
 * about no version.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.2.1
 */
const refuseConditions: Stage = {
  phase: "prepare",
  stepFor: ({ method }) => {
    if (method === "OPTIONS") return undefined;
    const isRead = method === "GET" || method === "HEAD";
    return ({ request: { headers } }) => {
      checkMatch(headers, undefined);
      if (!isRead) checkOnlyNew(headers);
      return undefined;
    };
  },
};
