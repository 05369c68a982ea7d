import type { IncomingMessage } from "node:http";
import { remember } from "@plimsoll/core/internal/remember";
import { type DocumentApi, RequestError } from "@plimsoll/http";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { scannerPaths } from "./scanner-paths.ts";

/** Compared with the names in raw headers, which are names and values in turn. */
const host = "host";

/**
 * A name, an IPv4 address, or an IPv6 address in brackets; then optionally a port. The whole may be empty.
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
 */
const hostForm = /^(?:\[[0-9a-z:.%]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

const isHost = remember((value) => hostForm.test(value ?? ""));

/**
 * The problem with the `Host` of a request; undefined if it is valid. HTTP/1.1 requires the header. No version allows several of it,
 * because two servers on the way could each use another one.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function hostProblem({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders">): string | undefined {
  let found = 0;
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== host.length || name.toLowerCase() !== host) continue;
    found++;
    value = rawHeaders[at + 1];
  }
  if (found > 1) return `Host: expected one, found ${found}`;
  if (found === 1 && !isHost(value))
    return "Host: expected a name or an address, optionally with a port, found another text";
  return found === 0 && httpVersion === "1.1" ? "Host: expected one, as HTTP/1.1 requires, found none" : undefined;
}

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
