import { type DocumentApi, RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { hostProblem } from "./host-problem.ts";
import { scannerPaths } from "./scanner-paths.ts";

/**
 * Refuses requests without the one `Host` that HTTP/1.1 demands in the form of the API that they are for. The server must be made with
 * `requireHostHeader: false`: Node's own answer has no body.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function refuseWrongHost(
  app: FastifyInstance,
  { api, registry }: { readonly api: DocumentApi; readonly registry?: OpenedRegistry | undefined },
): void {
  const isOfScanner = scannerPaths(api);
  app.addHook("onRequest", (request, reply, done) => {
    const message = hostProblem(request.raw);
    if (message === undefined) return done();
    if (registry === undefined || isOfScanner(request.url)) return done(new RequestError("malformed_request", message));
    reply.hijack();
    registry.refuseMalformedUrl({ code: "bad-request", message }, request, { raw: reply.raw });
  });
}
