import { type DocumentApi, RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { hostProblem } from "./host-problem.ts";
import { scannerPaths } from "./scanner-paths.ts";

/**
 * Rejects requests without exactly one valid `Host`, in the form of the API that they belong to. Create the server with
 * `requireHostHeader: false`, because Node's own response has no body.
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
