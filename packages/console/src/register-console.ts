import { noneMatchNames, notesOf } from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

/** What serving the console depends on. */
export interface ConsoleOptions {
  /** The path prefixes of APIs: a browser that visits an unknown address below one gets the API's own error. */
  readonly apis: readonly string[];
}

/** Where the files are that the page loads. No namespace is called `-`. */
const assetsPath = "/-/console/";

/**
 * What the page may load and do: only what the registry itself serves, with no inline script or style.
 * @see https://www.w3.org/TR/CSP3/
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/**
 * Serves the console: its page at every address that a browser visits and that leads nowhere else, and its files. Programs get the
 * answers of the APIs, as without a console.
 * @example
 * registerConsole(app, console, { apis: ["/v2/", "/api/"] });
 */
export function registerConsole(app: FastifyInstance, { page, assets }: ConsoleFiles, { apis }: ConsoleOptions): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !isVisit(request) || apis.some((prefix) => request.url.startsWith(prefix))) return done();
    notesOf(request.raw).operation = "showConsole";
    reply.header("cache-control", "no-cache"); // asked again each time, answered 304 where it is the same
    send(request, reply, page);
  });
  app.route({
    method: ["GET", "HEAD"],
    url: `${assetsPath}:name`,
    exposeHeadRoute: false,
    config: { operation: "getConsoleFile" },
    handler: (request, reply) => {
      notesOf(request.raw).operation = "getConsoleFile";
      const { name } = request.params as { readonly name: string };
      const file = assets.get(name);
      if (file === undefined) return reply.callNotFound();
      reply.header("cache-control", "public, max-age=31536000, immutable");
      return send(request, reply, file);
    },
  });
}

/** Whether a browser opens a page, and no script or program asks. */
function isVisit({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers.accept?.includes("text/html") ?? false;
}

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const { mediaType, bytes, gzipped, entityTag } = file;
  reply.headers({
    "content-security-policy": contentPolicy,
    etag: `"${entityTag}"`,
    "referrer-policy": "no-referrer",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  if (noneMatchNames(request.headers["if-none-match"], entityTag)) return reply.code(304).send();
  reply.code(200).header("content-type", mediaType);
  if (new Negotiator(request).encoding(["gzip", "identity"]) !== "gzip") return reply.send(bytes);
  return reply.header("content-encoding", "gzip").send(gzipped);
}
