import type { ServerResponse } from "node:http";
import { notesOf } from "@plimsoll/http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { anonymous } from "../access/principal.ts";
import { effectiveOrigin } from "../http/effective-origin.ts";
import { isKnownOutage } from "../http/known-outage.ts";
import { noteCaller } from "../http/note-caller.ts";
import { readOnlyMessage } from "../http/read-only.ts";
import { asDistributionError } from "./as-distribution-error.ts";
import { type DistributionCaller, unbounded } from "./auth-port.ts";
import type { Distribution } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { type DistributionRoute, findRoute } from "./routes.ts";

/**
 * Serves the distribution protocol under `/v2/` on a Fastify instance. Bodies stream: nothing parses them. Every error is
 * answered in the protocol's form.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md
 */
export function registerDistribution(app: FastifyInstance, distribution: Distribution): void {
  app.register(async (scope) => {
    for (const url of ["/v2", "/v2/*"]) {
      scope.route({
        method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        url,
        exposeHeadRoute: false,
        // Before Fastify looks at the body or its type.
        onRequest: (request, reply) => {
          reply.hijack();
          void serve(distribution, request, reply.raw);
        },
        handler: async () => {},
      });
    }
  });
}

async function serve(distribution: Distribution, request: FastifyRequest, response: ServerResponse): Promise<void> {
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  response.setHeader("x-content-type-options", "nosniff");
  try {
    await answer(distribution, request, response);
  } catch (thrown) {
    sendError(thrown, request, response);
  }
}

async function answer(distribution: Distribution, request: FastifyRequest, response: ServerResponse): Promise<void> {
  const { path, query } = splitUrl(request.url);
  const found = path === undefined ? undefined : findRoute(path);
  if (found === undefined) throw new DistributionError("NAME_UNKNOWN", "no such path in the protocol");
  const endpoint = found.route.endpoints[request.method];
  if (endpoint === undefined) {
    const headers = { allow: Object.keys(found.route.endpoints).join(", ") };
    throw new DistributionError("UNSUPPORTED", "the operation is unsupported", { headers });
  }
  const notes = notesOf(request.raw);
  notes.operation = found.route.operation;
  const { settings, ports } = distribution.registry;
  const here = { ...distribution, auth: distribution.auth.at(effectiveOrigin(request, settings)) };
  const caller = await identify(here, request, found.route);
  noteCaller(notes, caller.principal);
  if (settings.readOnly) refuseChange(request);
  const now = ports.clock.now();
  const { params } = found;
  await endpoint(here, { request: request.raw, response, query, params, caller, ip: request.ip, now });
}

/**
 * Whoever shows nothing is nobody in particular. What clients begin with, and what is another for everybody, tells them how to
 * show something: most show nothing until they are told.
 */
async function identify(
  { auth }: Distribution,
  { headers, ip }: FastifyRequest,
  { challenge }: DistributionRoute,
): Promise<DistributionCaller> {
  const caller = await auth.identify(headers, ip);
  if (caller === undefined && challenge !== undefined) {
    const told = { "www-authenticate": auth.challenge(challenge.scope) };
    throw new DistributionError("UNAUTHORIZED", "authentication required", { headers: told });
  }
  return caller ?? { principal: anonymous, ...unbounded };
}

/**
 * The path after `/v2/` with its parts decoded; undefined where they are not text, or a part would become several.
 * @throws DistributionError `INVALID_REQUEST` for what no name has and no database stores
 */
function splitUrl(url: string): { readonly path: string | undefined; readonly query: URLSearchParams } {
  if (url.includes("%00")) throw new DistributionError("INVALID_REQUEST", "the address has U+0000 in it");
  const question = url.indexOf("?");
  const path = (question < 0 ? url : url.slice(0, question)).replace(/^\/v2\/?/, "");
  const query = new URLSearchParams(question < 0 ? "" : url.slice(question));
  if (!path.includes("%")) return { path, query };
  try {
    const parts = path.split("/").map(decodeURIComponent);
    return { path: parts.some((part) => part.includes("/")) ? undefined : parts.join("/"), query };
  } catch {
    return { path: undefined, query };
  }
}

/** @throws DistributionError `DENIED` unless it is a reading */
function refuseChange({ method }: FastifyRequest): void {
  if (method === "GET" || method === "HEAD") return;
  throw new DistributionError("DENIED", readOnlyMessage, { status: 405, isReadOnly: true });
}

function sendError(thrown: unknown, request: FastifyRequest, response: ServerResponse): void {
  const error = asDistributionError(thrown, request);
  const isLost = response.headersSent || response.destroyed;
  const isCut = request.raw.destroyed && !request.raw.complete; // one that was read to its end counts as destroyed, too
  const isLogged = error.code === "UNKNOWN" && !isCut && !isKnownOutage(thrown);
  if (isLogged) request.log.error({ err: thrown, requestId: request.id }, "request_failed");
  if (isLost) return void response.destroy();
  const bytes = Buffer.from(JSON.stringify(error));
  const isBodyless = request.method === "HEAD";
  const headers = { ...error.headers, "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(error.status, headers).end(isBodyless ? undefined : bytes);
}
