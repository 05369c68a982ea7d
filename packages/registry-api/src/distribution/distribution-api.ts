import type { ServerResponse } from "node:http";
import { isDigest } from "@plimsoll/core/digest";
import {
  type Api,
  checkOf,
  type Exchange as HttpExchange,
  isClientGone,
  notesOf,
  queryConverter,
  type Stage,
} from "@plimsoll/http";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { anonymous } from "@plimsoll/registry/access/principal";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { rightsOn } from "@plimsoll/registry/distribution/repository-actions";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { isTagName } from "@plimsoll/registry/values/names";
import { ifWritable } from "@plimsoll/store";
import type { FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import { isKnownOutage } from "../http/api-error.ts";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { noteCaller, noted, readOnlyMessage } from "../http/management-state.ts";
import { type DistributionCaller, unbounded } from "./auth-port.ts";
import type { Distribution, Exchange, OfName, OfReference } from "./distribution.ts";
import { asDistributionError, DistributionError, type DistributionErrorCode } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import { type DistributionContext, type DistributionOperation, fieldPicker } from "./operation.ts";
import { distributionOperations } from "./operations.ts";

/** The state that stages of a request share. */
interface DistributionState {
  context: DistributionContext | undefined;
}

type DistributionStage = Stage<DistributionState, DistributionOperation>;

/**
 * The distribution protocol as an API under `/v2`. Bodies stream: nothing parses them. Every error is answered in the protocol's form.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md
 */
export function distributionApi(distribution: Distribution): Api<DistributionState, DistributionOperation> {
  const { settings } = distribution.registry;
  return {
    operations: distributionOperations,
    stages: [identify(distribution), refuseChanges(settings), admit, checkQuery, handle],
    begin: () => ({ context: undefined }),
    sendError: (thrown, request, { raw }) => sendError(thrown, request, raw),
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    bodies: "raw",
    routing: {
      prefix: "/v2",
      spanning: "name",
      isSegment: (segment) => !segment.includes("/") && !segment.includes("\u0000"),
      ignoresTrailingSlash: false,
      headAsGet: false,
      unknownPath: ({ url }) =>
        url.includes("%00") ? hasNul() : new DistributionError("NAME_UNKNOWN", "no such path in the protocol"),
      wrongMethod: (others) => {
        const headers = { allow: others.map(({ method }) => method).join(", ") };
        return new DistributionError("UNSUPPORTED", "the operation is unsupported", { headers });
      },
    },
  };
}

/** The refusal of U+0000, which no name has and no database stores. */
function hasNul(): DistributionError {
  return new DistributionError("INVALID_REQUEST", "the address has U+0000 in it");
}

function nameProtocol(response: ServerResponse): void {
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  response.setHeader("x-content-type-options", "nosniff");
}

/** Requests without credentials are anonymous. */
function identify(distribution: Distribution): DistributionStage {
  const { settings, clock } = distribution.registry;
  return {
    phase: "identify",
    stepFor: ({ access, query: declared }) => {
      const readQuery = queryReader(declared);
      return async ({ request, reply, params, state }) => {
        const { raw: response } = reply;
        nameProtocol(response);
        if (request.url.includes("%00")) throw hasNul();
        const here = { ...distribution, auth: distribution.auth.at(effectiveOrigin(request, settings)) };
        const place = access.placeOf?.(params as never); // the router gave the parameters of its path
        const identified = await here.auth.identify(request.headers, { address: request.ip, place });
        const caller = identified ?? anonymousCaller;
        noteCaller(notesOf(request.raw), caller.principal);
        const query = readQuery(request.url);
        const exchange = {
          request: request.raw,
          response,
          query,
          params,
          caller,
          ip: request.ip,
          now: clock.now(),
        };
        state.context = { distribution: here, exchange };
        return undefined;
      };
    },
  };
}

/** A caller without credentials. */
const anonymousCaller: DistributionCaller = { principal: anonymous, ...unbounded };

/** Returns a function that reads the declared parameters from an address. They are checked once the caller is admitted. */
function queryReader(declared: TObject | undefined): (url: string) => Readonly<Record<string, unknown>> {
  if (declared === undefined) return () => ({});
  const pick = fieldPicker(declared);
  const convert = queryConverter(declared);
  return (url) => {
    const question = url.indexOf("?");
    return question < 0 ? {} : convert(pick([...new URLSearchParams(url.slice(question))]));
  };
}

const checkQuery: DistributionStage = {
  phase: "read",
  stepFor: (operation) => {
    if (operation.query === undefined) return undefined;
    const check = checkOf("query", operation.query);
    return loggingRefusals(operation, async ({ state }) => void check(noted(state.context).exchange.query));
  },
};

function refuseChanges(settings: Pick<RegistrySettings, "readOnly">): DistributionStage {
  return {
    phase: "feature",
    stepFor: ({ method }) => {
      if (method === "GET" || method === "HEAD") return undefined;
      return () => {
        if (settings.readOnly)
          throw new DistributionError("DENIED", readOnlyMessage, { status: 405, isReadOnly: true });
        return undefined;
      };
    },
  };
}

const admit: DistributionStage = {
  phase: "admit",
  stepFor: (operation) =>
    loggingRefusals(operation, async (exchange) => {
      const { distribution, exchange: current } = noted(exchange.state.context);
      const { registry, auth, pullThrough } = distribution;
      const { caller, query, params, ip, now } = current;
      const admission = {
        registry,
        auth,
        caller,
        query,
        params,
        ...{ ip, now, pullThrough },
        hasCredentials: caller !== anonymousCaller,
      };
      exchange.subject = await operation.access.admit(admission as never);
      return undefined;
    }),
};

/** Handlers open their own transactions, so that none is open while a body streams. */
const handle: DistributionStage = {
  phase: "transaction",
  stepFor: (operation) =>
    loggingRefusals(operation, async (exchange) => {
      await operation.handle(exchange, noted(exchange.state.context));
      return undefined;
    }),
};

type DistributionStep = (exchange: HttpExchange<DistributionState>) => Promise<undefined>;

/** Wraps a step so that the usage log records its refusals, if the operation declares that. */
function loggingRefusals(operation: DistributionOperation, step: DistributionStep): DistributionStep {
  const kind = refusalKindOf(operation);
  if (kind === undefined) return step;
  return async (exchange) => {
    try {
      return await step(exchange);
    } catch (thrown) {
      const error = asDistributionError(thrown, exchange.request);
      await logRefusal(noted(exchange.state.context), kind, error);
      throw thrown;
    }
  };
}

function sendError(thrown: unknown, request: FastifyRequest, response: ServerResponse): void {
  const error = asDistributionError(thrown, request);
  const isLost = response.headersSent || response.destroyed;
  const isCut = isClientGone(response) || isClientGone(request.raw);
  const isUnexpected = error.code === "UNKNOWN" && error !== thrown;
  const isLogged = isUnexpected && !isCut && !isKnownOutage(thrown);
  if (isLogged) request.log.error({ err: thrown, requestId: request.id }, "request_failed");
  if (isLost) return void response.destroy();
  nameProtocol(response);
  const bytes = Buffer.from(JSON.stringify(error));
  const isBodyless = request.method === "HEAD";
  const headers = { ...error.headers, "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(error.status, headers).end(isBodyless ? undefined : bytes);
}

const refusalKinds = ["push_repo_failed", "delete_tag_failed"] as const;

/** A kind of entry about a refused request. */
type RefusalKind = (typeof refusalKinds)[number];

/** The kind that an operation declares; undefined for one whose refusals are not logged. */
function refusalKindOf({ audit = [] }: Pick<DistributionOperation, "audit">): RefusalKind | undefined {
  return refusalKinds.find((kind) => audit.includes(kind));
}

/** Errors after which a client continues in another way, or later: the push has not failed yet. */
const recoverable: ReadonlySet<DistributionErrorCode> = new Set([
  "RANGE_INVALID",
  "BLOB_UPLOAD_UNKNOWN",
  "TOOMANYREQUESTS",
]);

/**
 * Logs that a change of a repository was refused to an identified caller. It does not log faults of the server, nor tokens that lack a
 * right that their account has: clients then request another token, and succeed.
 */
async function logRefusal(
  { distribution, exchange }: DistributionContext,
  kind: RefusalKind,
  { code, status, message }: DistributionError,
): Promise<void> {
  const { store, settings } = distribution.registry;
  const { principal } = exchange.caller;
  if (principal.kind === "anonymous" || status >= 500 || recoverable.has(code)) return;
  const named = exchange as Exchange<OfName & Partial<OfReference>>; // these operations have a repository in their path
  const path = named.params.name;
  await ifWritable(async () => {
    const { namespace, name } = splitRepository(path);
    const repository = await findImageRepository(store.db, namespace, name);
    if (repository === undefined) return;
    if (code === "UNAUTHORIZED") {
      const { actions } = await rightsOn({ db: store.db, settings }, principal, { path, repository });
      if (actions.has("push")) return;
    }
    await logUse(store.relaxed, named, { kind, repository, ...namedIn(named), note: { error: code, message } });
  });
}

/** The tag or the digest in the path, if it has one. */
function namedIn({ params: { reference = "" } }: Exchange<Partial<OfReference>>) {
  return isTagName(reference) || isDigest(reference) ? { reference } : {};
}
