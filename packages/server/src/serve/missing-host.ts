import { type Api, RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { scannerPaths } from "./scanner-paths.ts";

const message = "Host: expected one, as HTTP/1.1 demands, found none";

/**
 * Refuses requests of HTTP/1.1 without `Host` in the form of the API that they are for. The server must be made with
 * `requireHostHeader: false`: Node's own answer has no body.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function refuseMissingHost(
  app: FastifyInstance,
  { api, registry }: { readonly api: Api; readonly registry?: OpenedRegistry | undefined },
): void {
  const isOfScanner = scannerPaths(api);
  app.addHook("onRequest", (request, reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (httpVersion !== "1.1" || headers.host !== undefined) return done();
    if (registry === undefined || isOfScanner(request.url)) return done(new RequestError("malformed_request", message));
    reply.hijack();
    registry.refuseMalformedUrl({ code: "bad-request", message }, request, { raw: reply.raw });
  });
}
