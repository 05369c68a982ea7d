import { createHash } from "node:crypto";
import {
  type Api,
  checkMatch,
  type DocumentApi,
  negotiate,
  noneMatchNames,
  type Operation,
  openApiDocument,
  operationsFor,
  type ReplyTypes,
  RequestError,
  type SendError,
} from "@plimsoll/http";
import { ErrorDocument, NotificationWebhook } from "@plimsoll/scanner-api";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request for a document of the server itself. */
interface DocumentRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Declares an operation that answers with a document of the server itself. */
export const serverDocument = operationsFor<ReplyTypes<DocumentRequest>>();

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

const notify = {
  id: "notify",
  summary: "Send the address of the notifications of a set to the webhook's receiver.",
  request: NotificationWebhook,
};

/** The OpenAPI document of the scanner API as text. */
export function scannerOpenApi(api: DocumentApi): string {
  const title = {
    title: "Vulnerability Scanner API",
    version: "1.2.0",
    description: "Says what is in container images and what is wrong with it.",
  };
  return `${JSON.stringify(openApiDocument(api, { title, error: ErrorDocument, webhooks: [notify] }), undefined, 2)}\n`;
}

const offered = ["application/openapi+json", "application/json", "application/vnd.oai.openapi+json"];

/** The operation that answers with the OpenAPI document. */
export function openApiOperation(api: DocumentApi): Operation {
  const text = scannerOpenApi(api);
  const tag = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return serverDocument({
    id: "getOpenApi",
    method: "GET",
    path: "/openapi/v1",
    summary: "The OpenAPI document of the scanner API.",
    success: 200,
    hasVersion: true,
    async handle(_, { request, reply }) {
      const mediaType = negotiate(request.headers.accept, offered);
      if (mediaType === undefined) throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
      checkMatch(request.headers, tag);
      reply.header("etag", `"${tag}"`);
      if (noneMatchNames(request.headers["if-none-match"], tag)) return reply.code(304).send();
      return reply.header("content-type", mediaType).send(Buffer.from(text));
    },
  });
}
