import { type Api, type ApiTypes, type Operation, operationsFor, type SendError } from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request for a document of the server itself. */
export interface DocumentRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface ServerTypes extends ApiTypes {
  readonly context: DocumentRequest;
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: never;
  readonly logKind: never;
  readonly members: object;
  /** The reply, which is sent. */
  readonly plainResult: FastifyReply;
  readonly operation: Operation;
}

/** Declares an operation that answers with a document of the server itself. */
export const serverDocument = operationsFor<ServerTypes>();

/** Excludes crawlers from all paths. */
export const robotsDocument = serverDocument({
  id: "getRobots",
  method: "GET",
  path: "/robots.txt",
  summary: "Which addresses crawlers may read: none.",
  success: 200,
  handle: async (_, { reply }) =>
    reply.type("text/plain").header("cache-control", "no-store").send("User-agent: *\nDisallow: /\n"),
});

/** Documents of the server as an API. */
export function serverDocuments(operations: readonly Operation[], sendError: SendError): Api<undefined> {
  return { operations, stages: [answer], sendError, maxBodyBytes: 1, bodies: "streamed" };
}

const answer: Api<undefined>["stages"][number] = {
  phase: "transaction",
  stepFor: (operation) => async (exchange) => {
    const { request, reply } = exchange;
    await operation.handle(exchange, { request, reply });
    return undefined;
  },
};
