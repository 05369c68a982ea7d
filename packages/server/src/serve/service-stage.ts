import type { DocumentApi } from "@plimsoll/http";
import { RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { scannerPaths } from "./scanner-paths.ts";

/** The stage of a server's shutdown: it serves; it answers but closes connections; it rejects new requests. */
export interface ServiceStage {
  kind: "serving" | "draining" | "refusing";
}

/** The `Retry-After` of a rejected request: by then, a load balancer has noticed the shutdown. */
const retryAfterSeconds = 1;

/**
 * Applies the stage to requests. While the server drains, HTTP/1.1 connections are closed after their next response. After that,
 * requests are rejected, each in the form of the API that it belongs to.
 */
export function followStage(
  app: FastifyInstance,
  stage: Readonly<ServiceStage>,
  { api, registry }: { readonly api: DocumentApi; readonly registry?: OpenedRegistry | undefined },
): void {
  const isOfScanner = scannerPaths(api);
  app.addHook("onRequest", (request, reply, done) => {
    if (stage.kind === "serving") return done();
    if (request.raw.httpVersionMajor < 2) reply.raw.setHeader("connection", "close");
    if (stage.kind === "draining") return done();
    const isOfRegistry = registry !== undefined && !isOfScanner(request.url);
    if (!isOfRegistry) return done(stoppingError());
    reply.hijack();
    registry.refuseUnavailable(request, { raw: reply.raw }, retryAfterSeconds);
  });
}

function stoppingError(): RequestError {
  return new RequestError("unavailable", "the service is stopping: send the request again", { retryAfterSeconds });
}
