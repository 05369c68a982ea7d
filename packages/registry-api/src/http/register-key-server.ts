import type { JsonWebKey } from "node:crypto";
import { askForBodies } from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { invalidRequest, notFound } from "../errors.ts";
import { readSubmittedJwk, SubmittedJwk } from "../service-keys/jwk.ts";
import { isKid, readServiceProof } from "../service-keys/proof.ts";
import { expirationOf, listKeysInForce, maxExpirationSeconds } from "../service-keys/service-keys.ts";
import {
  findServiceKey,
  isExpired,
  removeServiceKey,
  type ServiceRequest,
  submitServiceKey,
} from "../service-keys/submit.ts";
import type { ServedRegistry } from "./answer-operation.ts";
import { apiErrorBody } from "./api-error.ts";
import { effectiveOrigin } from "./effective-origin.ts";
import { requestReader } from "./read-request.ts";
import { refuseChanges } from "./refuse-changes.ts";
import { sendError } from "./register-management-api.ts";

const path = "/keys/services/:service/keys";

/** No key is larger. */
const maxKeyBytes = 16_384;

/** How long others may keep what they are answered, in seconds. */
const keptSeconds = 60;

const SubmitQuery = Type.Object({
  expiration: Type.Optional(Type.Integer({ minimum: 0, maximum: maxExpirationSeconds })),
  rotation: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
});

const reader = requestReader({ query: SubmitQuery, body: SubmittedJwk });

/** Serves `/keys`: where instances of services submit, replace and remove their keys, and anybody reads those in force. */
export function registerKeyServer(app: FastifyInstance, registry: ServedRegistry): void {
  const { store, settings, ports } = registry;
  app.register(async (keys) => {
    askForBodies(keys);
    keys.removeAllContentTypeParsers();
    keys.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: maxKeyBytes }, (_, body, done) => done(null, body));
    keys.setErrorHandler((error, request, reply) => sendError(error, request, reply, settings));
    keys.addHook("onRequest", refuseChanges(settings));
    keys.addHook("onSend", async (_, reply) => void reply.header("x-content-type-options", "nosniff"));
    keys.get(path, async (request, reply) => {
      const found = await listKeysInForce(store.db, readService(request), ports.clock.now());
      reply.header("cache-control", `public, max-age=${keptSeconds}`);
      return { keys: found.map(({ jwk }) => JSON.parse(jwk) as unknown) };
    });
    keys.get(`${path}/:kid`, (request, reply) => sendKey(registry, request, reply));
    keys.put(`${path}/:kid`, async (request, reply) => {
      const state = await submit(registry, request);
      return reply.code(state === "waiting" ? 202 : 200).send();
    });
    keys.delete(`${path}/:kid`, async (request, reply) => {
      await removeServiceKey(serviceRequest(registry, request));
      return reply.code(204).send();
    });
  });
}

async function sendKey({ store, settings, ports }: ServedRegistry, request: FastifyRequest, reply: FastifyReply) {
  const now = ports.clock.now();
  const key = await findServiceKey(store.db, readService(request), readKid(request));
  if (key === undefined) throw notFound();
  const refuse = (status: number, message: string) =>
    reply.code(status).send({ ...apiErrorBody(invalidRequest(message), effectiveOrigin(request, settings)), status });
  if (key.approved_at === null) return refuse(409, "The key waits for approval");
  if (isExpired(key, now)) return refuse(403, "The key has expired");
  const seconds = Math.min(keptSeconds, Math.floor(((key.expires_at ?? Number.POSITIVE_INFINITY) - now) / 1000));
  return reply.header("cache-control", `public, max-age=${seconds}`).send(JSON.parse(key.jwk));
}

async function submit(registry: ServedRegistry, request: FastifyRequest): Promise<"waiting" | "approved"> {
  const asked = serviceRequest(registry, request);
  const query = reader.query(request.query as Readonly<Record<string, unknown>>) as Static<typeof SubmitQuery>;
  const body = reader.body(request.body as Uint8Array | undefined, request.headers);
  return submitServiceKey(asked, {
    jwk: await readSubmittedJwk(body as JsonWebKey, asked.kid),
    expiresAt: expirationOf(query.expiration ?? null, asked.now),
    rotationSeconds: query.rotation ?? null,
  });
}

function serviceRequest({ store, settings, ports }: ServedRegistry, request: FastifyRequest): ServiceRequest {
  const { ip, headers } = request;
  return {
    store,
    settings,
    service: readService(request),
    kid: readKid(request),
    proof: readServiceProof(headers.authorization),
    ip,
    userAgent: (headers["user-agent"] ?? "").slice(0, 255),
    now: ports.clock.now(),
  };
}

function readService({ params }: FastifyRequest): string {
  const { service = "" } = params as { readonly service?: string };
  if (!/^[a-z0-9_]{1,255}$/.test(service)) throw invalidRequest("Expected the name of a service: a-z, 0-9 and _");
  return service;
}

function readKid({ params }: FastifyRequest): string {
  const { kid } = params as { readonly kid?: unknown };
  if (!isKid(kid)) throw invalidRequest("Expected the thumbprint of a key");
  return kid;
}
