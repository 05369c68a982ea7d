import { createHash } from "node:crypto";
import { type DocumentApi, negotiate, openApiDocument, RequestError } from "@plimsoll/http";
import { ErrorDocument, NotificationWebhook } from "@plimsoll/scanner-api";
import type { FastifyInstance } from "fastify";

const notify = {
  id: "notify",
  summary: "Tell the webhook's receiver where the notifications of a set are.",
  request: NotificationWebhook,
};

/** The OpenAPI document of the scanner API as text. */
export function scannerOpenApi(api: DocumentApi): string {
  const title = {
    title: "Vulnerability Scanner API",
    version: "1.2.0",
    description: "Says what is in container images and what is wrong with it.",
  };
  return `${JSON.stringify(openApiDocument(api, title, ErrorDocument, [notify]), undefined, 2)}\n`;
}

const offered = ["application/openapi+json", "application/json", "application/vnd.oai.openapi+json"];

/** Serves the OpenAPI document at `/openapi/v1`. */
export function serveOpenApi(app: FastifyInstance, api: DocumentApi): void {
  const text = scannerOpenApi(api);
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  app.get("/openapi/v1", { exposeHeadRoute: false }, async (request, reply) => {
    const mediaType = negotiate(request.headers.accept, offered);
    if (mediaType === undefined) throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
    if (request.headers["if-none-match"] === etag) return reply.code(304).header("etag", etag).send();
    return reply.header("content-type", mediaType).header("etag", etag).send(Buffer.from(text));
  });
}
