import { type Api, registerApi } from "@plimsoll/http";
import { invalidRequest, notFound, RegistryError } from "@plimsoll/registry/errors";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { isRepositoryPath } from "@plimsoll/registry/values/names";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { featureOff, featureOffOf } from "../access/public-access.ts";
import type { RegistryOperation } from "../operation.ts";
import { operationsIn } from "../reference-profile/compatibility.ts";
import { apiErrorBody, statusOf, thrownError } from "./api-error.ts";
import { effectiveOrigin } from "./browser-calls.ts";
import { managementStages } from "./management-stages.ts";
import { ManagementState } from "./management-state.ts";
import { isPathText } from "./read-request.ts";
import type { ServedRegistry } from "./served-registry.ts";
import { conditionTargets } from "./update-conditions.ts";

/** The path prefix of the management API. */
const apiPrefix = "/api/v1";

/** Serves the management API under `/api/v1` on a Fastify instance. */
export function registerManagementApi(
  app: FastifyInstance,
  registry: ServedRegistry,
  operations: readonly RegistryOperation[],
): void {
  app.register(async (scope) => {
    scope.addHook("onRequest", (_, reply, done) => {
      reply.header("access-control-allow-origin", "*");
      done();
    });
    registerApi(scope, managementApi(registry, operations));
  });
}

/** The management API of a registry. Every error is answered as an `ApiError`. */
function managementApi(
  registry: ServedRegistry,
  operations: readonly RegistryOperation[],
): Api<ManagementState, RegistryOperation> {
  const { settings } = registry;
  const profiled = operationsIn(settings.compatibility, operations);
  return {
    operations: profiled,
    stages: managementStages(registry, conditionTargets(profiled)),
    judgesConditions: () => true, // in the transaction of a change
    begin: () => new ManagementState(),
    sendError: (thrown, request, reply) => sendError(withList(thrown, request, profiled), { request, reply }, settings),
    maxBodyBytes: settings.maxBodyBytes,
    bodies: "streamed",
    routing: {
      prefix: apiPrefix,
      spanning: "repository",
      isSpanned: isRepositoryPath,
      isSegment: isPathText,
      ignoresTrailingSlash: true,
      headAsGet: true,
      unknownPath: () => notFound("There is no operation at this path: GET /api/v1/discovery lists all of them"),
      wrongMethod: (others) => wrongMethod(others, settings),
    },
  };
}

/** The operations whose features are on, with the changes of the profile. */
export function offeredOperations(
  operations: readonly RegistryOperation[],
  settings: Pick<RegistrySettings, "features" | "compatibility">,
): readonly RegistryOperation[] {
  return operationsIn(settings.compatibility, operations).filter((each) => featureOffOf(each, settings) === undefined);
}

/** The refusal of a method that a path does not have. */
class WrongMethod extends RegistryError {
  readonly allowed: readonly string[];

  constructor(operations: readonly RegistryOperation[]) {
    const allowed = operations.map(({ method }) => method);
    const namesRepository = operations.some(({ path }) => path.startsWith("/repository/{"));
    const hint = namesRepository ? ". If more of the path is the name of the repository, write its slashes as %2F" : "";
    super("invalid_request", `Method not allowed: expected ${allowed.join(" or ")}${hint}`);
    this.allowed = allowed;
  }
}

function wrongMethod(others: readonly RegistryOperation[], settings: RegistrySettings): RegistryError {
  const allowed = others.filter((each) => featureOffOf(each, settings) === undefined);
  const [off] = others.flatMap((each) => featureOffOf(each, settings) ?? []);
  if (allowed.length === 0 && off !== undefined) return featureOff(off);
  return new WrongMethod(allowed);
}

/** An error about one of a list, with the path that reads the list. */
function withList(thrown: unknown, { url }: FastifyRequest, operations: readonly RegistryOperation[]): unknown {
  if (!(thrown instanceof RegistryError) || !thrown.isInList) return thrown;
  const path = listAbove(url, operations);
  return path === undefined ? thrown : notFound(`${thrown.message}: GET ${path} lists those that there are`);
}

/** The nearest path above that of a request which is read and does not end with a name: `…/build` of `…/build/ID/logs`. */
function listAbove(url: string, operations: readonly RegistryOperation[]): string | undefined {
  const segments = segmentsOf(url.slice(apiPrefix.length).split("?", 1)[0] ?? "");
  const lists = operations.flatMap(({ method, path }) =>
    method === "GET" && !/\}\/?$/.test(path) ? [segmentsOf(path)] : [],
  );
  for (let above = segments.slice(0, -1); above.length > 1; above = above.slice(0, -1)) {
    if (lists.some((list) => isPathOf(above, list))) return [apiPrefix, ...above].join("/");
  }
  return undefined;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** Whether a path is one of a declared path. The name of a repository may be several segments. */
function isPathOf(path: readonly string[], declared: readonly string[]): boolean {
  const spanning = declared.indexOf("{repository}");
  const ends = declared.slice(spanning + 1);
  const last = spanning < 0 ? path : path.slice(-ends.length);
  if (path[0] !== declared[0] || path.length < declared.length || last.length !== ends.length) return false;
  return ends.every((segment, index) => segment.startsWith("{") || segment === last[index]);
}

/** Answers a thrown error as an `ApiError`. */
export function sendError(
  thrown: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  settings: RegistrySettings,
): void {
  const origin = effectiveOrigin(request, settings);
  reply.header("x-request-id", request.id); // the id in the log lines of the request
  if (thrown instanceof WrongMethod) {
    const { message, allowed } = thrown;
    const body = { ...apiErrorBody(invalidRequest(message), origin), status: 405 };
    return void reply.code(405).header("allow", allowed.join(", ")).send(body);
  }
  const error = thrownError(thrown, request);
  if (error.code === "invalid_token" || error.code === "expired_token") reply.header("www-authenticate", "Bearer");
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  reply.code(statusOf(error)).send(apiErrorBody(error, origin));
}
