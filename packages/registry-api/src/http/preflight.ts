import { type Api, registerApi } from "@plimsoll/http";
import type { FastifyInstance } from "fastify";
import { openToAll } from "../access/public-access.ts";
import { sendError } from "./management-api.ts";
import { type ReplyOperation, replyOperation, replyStages } from "./reply-operation.ts";
import type { ServedRegistry } from "./served-registry.ts";

const allowedHeaders = "authorization, content-type, if-match, if-none-match, x-requested-with, x-csrf-token";

/**
 * The operation with which browsers check whether a page of another origin may call the management API.
 * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
 */
export const preflightOperations: readonly ReplyOperation[] = [
  replyOperation({
    id: "preflightRequest",
    method: "OPTIONS",
    path: "/api/v1/*",
    summary: "Which requests pages of other origins may send.",
    access: openToAll,
    success: 200,
    whileReadOnly: true,
    async handle(_, { reply }) {
      return reply
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS")
        .header("access-control-allow-headers", allowedHeaders)
        .send();
    },
  }),
];

/** Answers preflight requests for the management API on a Fastify instance. */
export function registerPreflight(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (scope) => registerApi(scope, preflightApi(registry)));
}

function preflightApi(registry: ServedRegistry): Api<undefined, ReplyOperation> {
  return {
    operations: preflightOperations,
    stages: replyStages(registry, () => () => ({})),
    sendError: (thrown, request, reply) => sendError(thrown, { request, reply }, registry.settings),
    maxBodyBytes: 1,
    bodies: "streamed",
  };
}
