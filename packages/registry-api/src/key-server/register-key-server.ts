import type { JsonWebKey } from "node:crypto";
import { type Api, registerApi, type Stage } from "@plimsoll/http";
import { invalidRequest, notFound, RegistryError } from "@plimsoll/registry/errors";
import { readSubmittedJwk, SubmittedJwk } from "@plimsoll/registry/identity/service-keys/jwk";
import { isKid, proofRefused, type ServiceProof } from "@plimsoll/registry/identity/service-keys/proof";
import { findServiceKey, listKeysInForce } from "@plimsoll/registry/identity/service-keys/queries";
import { expirationOf, maxExpirationSeconds } from "@plimsoll/registry/identity/service-keys/service-keys";
import {
  isExpired,
  removeServiceKey,
  type ServiceRequest,
  submitServiceKey,
} from "@plimsoll/registry/identity/service-keys/submit";
import type { FastifyInstance, FastifyReply } from "fastify";
import { decodeProtectedHeader } from "jose";
import { type Static, Type } from "typebox";
import { byProof, openToAll } from "../access/public-access.ts";
import { apiErrorBody } from "../http/api-error.ts";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { sendError } from "../http/management-api.ts";
import { requestReader } from "../http/read-request.ts";
import {
  type ReadRequest,
  type ReplyAccess,
  type ReplyContext,
  type ReplyOperation,
  replyOperation,
  replyStages,
} from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { largestInteger } from "../operation.ts";

const path = "/keys/services/{service}/keys";

/** The largest key that is read. */
const maxKeyBytes = 16_384;

/** How long clients and proxies may cache a response. */
const cacheSeconds = 60;

const SubmitQuery = Type.Object({
  expiration: Type.Optional(Type.Integer({ minimum: 0, maximum: maxExpirationSeconds })),
  rotation: Type.Optional(Type.Integer({ minimum: 1, maximum: largestInteger })),
});

const ofKey = { path: `${path}/{kid}` } as const;

/** Requires a token signed by the service, with the submitted key or with another key in force. */
const bySignature: ReplyAccess<ServiceProof> = {
  ...byProof("a signature of the key, or of another of the service"),
  admit: async ({ request }) => readServiceProof(request.headers.authorization),
};

const KeysInForce = Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) });

/** Operations by which instances of services submit, replace and remove their keys, and any client reads the keys in force. */
export const keyServerOperations: readonly ReplyOperation[] = [
  replyOperation({
    id: "listServiceKeysInForce",
    method: "GET",
    path,
    summary: "The keys in force of a service.",
    access: openToAll,
    success: 200,
    result: KeysInForce,
    async handle({ params }, { registry: { store, clock }, reply }) {
      const found = await listKeysInForce(store.db, readService(params), clock.now());
      reply.header("cache-control", `public, max-age=${cacheSeconds}`);
      return { keys: found.map(({ jwk }) => JSON.parse(jwk) as Record<string, unknown>) };
    },
  }),
  replyOperation({
    ...ofKey,
    id: "getKeyOfService",
    method: "GET",
    summary: "One key of a service.",
    access: openToAll,
    success: 200,
    handle: ({ params }, context) => sendKey(context, params),
  }),
  replyOperation({
    ...ofKey,
    id: "submitServiceKey",
    method: "PUT",
    summary: "Submit a key, or replace one.",
    access: bySignature,
    success: 200,
    audit: ["service_key_create", "service_key_rotate"],
    query: SubmitQuery,
    body: SubmittedJwk,
    async handle({ params, subject: proof, query, body }, context) {
      const state = await submit(serviceRequest(context, params, proof), query, body);
      return context.reply.code(state === "waiting" ? 202 : 200).send();
    },
  }),
  replyOperation({
    ...ofKey,
    id: "removeServiceKey",
    method: "DELETE",
    summary: "Remove a key.",
    access: bySignature,
    success: 204,
    audit: ["service_key_delete"],
    async handle({ params, subject: proof }, context) {
      await removeServiceKey(serviceRequest(context, params, proof));
      return context.reply.code(204).send();
    },
  }),
];

/** Serves `/keys` on a Fastify instance. */
export function registerKeyServer(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (keys) => registerApi(keys, keyServerApi(registry)));
}

/** The key server of a registry as an API. */
function keyServerApi(registry: ServedRegistry): Api<undefined, ReplyOperation> {
  return {
    operations: keyServerOperations,
    stages: [guessNoType, ...replyStages(registry, readJson)],
    sendError: (thrown, request, reply) => {
      reply.header("x-content-type-options", "nosniff");
      sendError(thrown, { request, reply }, registry.settings);
    },
    maxBodyBytes: maxKeyBytes,
    bodies: "buffered",
  };
}

const readJson: ReadRequest = (operation) => {
  const reader = requestReader(operation);
  return ({ query, body, headers }) => ({
    query: reader.query(query as Readonly<Record<string, unknown>>),
    body: reader.body(body as Uint8Array | undefined, headers),
  });
};

const guessNoType: Stage = {
  phase: "identify",
  stepFor:
    () =>
    ({ reply }) => {
      reply.header("x-content-type-options", "nosniff");
      return undefined;
    },
};

/** Path parameters that name a service. */
type OfService = { readonly service: string };

/** Path parameters that name a key of a service. */
type OfKey = OfService & { readonly kid: string };

async function sendKey({ registry, request, reply }: ReplyContext, params: OfKey): Promise<FastifyReply> {
  const { store, settings, clock } = registry;
  const now = clock.now();
  const key = await findServiceKey(store.db, readService(params), readKid(params));
  if (key === undefined)
    throw notFound("The service has no key with that kid: GET the keys of the service to see the active ones");
  const refuse = (status: number, message: string) =>
    reply.code(status).send({ ...apiErrorBody(invalidRequest(message), effectiveOrigin(request, settings)), status });
  if (key.approved_at === null) return refuse(409, "The key waits for approval");
  if (isExpired(key, now)) return refuse(403, "The key has expired");
  const seconds = Math.min(cacheSeconds, Math.floor(((key.expires_at ?? Number.POSITIVE_INFINITY) - now) / 1000));
  return reply.header("cache-control", `public, max-age=${seconds}`).send(JSON.parse(key.jwk));
}

async function submit(
  request: ServiceRequest,
  query: Static<typeof SubmitQuery>,
  body: Static<typeof SubmittedJwk>,
): Promise<"waiting" | "approved"> {
  return submitServiceKey(request, {
    jwk: await readSubmittedJwk(body as JsonWebKey, request.kid),
    expiresAt: expirationOf(query.expiration, request.now),
    rotationSeconds: query.rotation,
  });
}

function serviceRequest({ registry, request }: ReplyContext, params: OfKey, proof: ServiceProof): ServiceRequest {
  const { store, settings, clock } = registry;
  const { ip, headers } = request;
  return {
    store,
    settings,
    service: readService(params),
    kid: readKid(params),
    proof,
    ip,
    userAgent: (headers["user-agent"] ?? "").slice(0, 255),
    now: clock.now(),
  };
}

function readService({ service }: OfService): string {
  if (!/^[a-z0-9_]{1,255}$/.test(service)) throw invalidRequest("Expected the name of a service: a-z, 0-9 and _");
  return service;
}

function readKid({ kid }: OfKey): string {
  if (!isKid(kid)) throw invalidRequest("Expected the thumbprint of a key");
  return kid;
}

/** Reads the proof in an `Authorization` header. @throws RegistryError `invalid_token` if there is none, `insufficient_scope` */
function readServiceProof(authorization: string | undefined): ServiceProof {
  const [, jwt] = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "") ?? [];
  if (jwt === undefined) throw new RegistryError("invalid_token", "Expected a JWT as Authorization: Bearer");
  const kid = signerOf(jwt);
  if (kid === undefined) return { jwt };
  if (!isKid(kid)) throw proofRefused();
  return { jwt, signerKid: kid };
}

function signerOf(jwt: string): unknown {
  try {
    return decodeProtectedHeader(jwt).kid;
  } catch {
    throw proofRefused();
  }
}
