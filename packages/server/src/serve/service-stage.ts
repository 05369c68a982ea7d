import type { DocumentApi } from "@plimsoll/http";
import { RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { scannerPaths } from "./scanner-paths.ts";

/** How far a server is on its way to its end: it serves, it wants its clients to go elsewhere, it refuses what is new. */
export interface ServiceStage {
  kind: "serving" | "draining" | "refusing";
}

/** When a client whose request is refused comes again: by then, a balancer knows. */
const retryAfterSeconds = 1;

/**
 * Ends connections of HTTP/1.1 with their next answer as soon as the server drains, and refuses requests once it refuses, each in
 * the form of the API that it is for.
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
    if (!isOfRegistry) return done(stops());
    reply.hijack();
    registry.refuseUnavailable(request, { raw: reply.raw }, retryAfterSeconds);
  });
}

function stops(): RequestError {
  return new RequestError("unavailable", "the service is stopping: send the request again", { retryAfterSeconds });
}
