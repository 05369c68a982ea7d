import { createHash } from "node:crypto";
import { type DocumentApi, negotiate, type Operation, openApiDocument, RequestError } from "@plimsoll/http";
import { ErrorDocument, NotificationWebhook } from "@plimsoll/scanner-api";
import { serverDocument } from "./server-documents.ts";

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
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  return serverDocument({
    id: "getOpenApi",
    method: "GET",
    path: "/openapi/v1",
    summary: "The OpenAPI document of the scanner API.",
    success: 200,
    async handle(_, { request, reply }) {
      const mediaType = negotiate(request.headers.accept, offered);
      if (mediaType === undefined) throw new RequestError("not_acceptable", `Accept: expected ${offered.join(" or ")}`);
      if (request.headers["if-none-match"] === etag) return reply.code(304).header("etag", etag).send();
      return reply.header("content-type", mediaType).header("etag", etag).send(Buffer.from(text));
    },
  });
}
