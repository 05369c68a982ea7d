import { type Api, parseBody, RequestError, registerApi } from "@plimsoll/http";
import { acceptPush, logRefusedDelivery, type Push } from "@plimsoll/registry/builds/accept-push";
import { type BuildTriggerRow, findTrigger } from "@plimsoll/registry/builds/queries/triggers";
import { randomSecret } from "@plimsoll/registry/crypto/secrets";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import { type AddressLimit, createAddressLimit } from "@plimsoll/registry/limits/address-limit";
import { isObject, memberOf } from "@plimsoll/registry/values/misread-members";
import { turnOfBody } from "@plimsoll/store";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { byProof } from "../access/public-access.ts";
import { sendError } from "../http/management-api.ts";
import {
  type ReplyContext,
  type ReplyOperation,
  replyOperation,
  replyStages,
  servedOperations,
} from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { verifyHook } from "./verify-hook.ts";

/** The largest delivery that is read. Forges send up to 25 MB, but leave commits out of large deliveries. */
const maxDeliveryBytes = 5 * 1024 * 1024;

/** How many forged deliveries from one network are logged in an hour, at each node. Further ones are refused. */
const forgedPerHour = 60;

/** A secret that no trigger has. It makes deliveries to missing triggers take as long as others. */
const noSecret = `whsec_${randomSecret(43)}=`;

const events = ["x-github-event", "x-gitea-event", "x-forgejo-event", "x-gitlab-event"];

/** A delivery as its forge has signed it: JSON with the reference that was pushed and its commit. */
const Delivery = Type.Unsafe<Uint8Array>(
  Type.Object({ ref: Type.String({ maxLength: 256 }), after: Type.Optional(Type.String({ maxLength: 64 })) }),
);

/** The operation that receives pushes from forges. */
export const buildHookOperations: readonly ReplyOperation[] = [
  replyOperation({
    id: "takePushHook",
    method: "POST",
    path: "/webhooks/push/trigger/{trigger_uuid}",
    summary: "Receive a push from a git server, and queue a build.",
    access: byProof("a delivery that is signed with the secret of the trigger"),
    feature: "builds",
    audit: ["build_dockerfile", "build_trigger_refused"],
    success: 200,
    result: Type.Object({ build_id: Type.Optional(Type.String()), ignored: Type.Optional(Type.String()) }),
    body: Delivery,
    async handle({ params, body }, { registry, request }) {
      const trigger = await findTrigger(registry.store.db, params.trigger_uuid);
      const key = await verify(registry, { trigger, body, request });
      const event = events.map((name) => request.headers[name]).find((each) => typeof each === "string");
      const push = readPush(body, event as string | undefined);
      if (push === undefined) return { ignored: "Nothing was pushed" };
      const accepted = await acceptPush(registry, { trigger: key.trigger, push, key: key.key, ip: request.ip });
      return "buildId" in accepted ? { build_id: accepted.buildId } : { ignored: accepted.ignoredBecause };
    },
  }),
];

/** The limit of each registry of this process. */
const limits = new WeakMap<ServedRegistry, AddressLimit>();

function limitOf(registry: ServedRegistry): AddressLimit {
  const limit = limits.get(registry) ?? createAddressLimit({ perHour: forgedPerHour });
  limits.set(registry, limit);
  return limit;
}

interface Verifying extends Pick<ReplyContext, "request"> {
  readonly trigger: BuildTriggerRow | undefined;
  readonly body: Uint8Array;
}

/** Verifies a delivery. A missing trigger gets the same response as a wrong signature, so that callers cannot probe for triggers. */
async function verify(registry: ServedRegistry, { trigger, body, request }: Verifying) {
  const now = registry.clock.now();
  const secret = (trigger && registry.secrets.open(trigger.secret_sealed)) ?? noSecret;
  try {
    const key = verifyHook({ headers: request.headers, body, now }, secret);
    if (trigger === undefined) throw new TypeError("a delivery was accepted with a secret that no trigger has");
    return { key, trigger };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    limitOf(registry).countAttempt(request.ip, now);
    const refused = { ip: request.ip, reason: error.message, at: now };
    if (trigger !== undefined) await logRefusedDelivery(registry.store.db, trigger, refused);
    throw error;
  }
}

/** Serves the webhooks on a Fastify instance. */
export function registerBuildHooks(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (hooks) => registerApi(hooks, hooksApi(registry)));
}

function hooksApi(registry: ServedRegistry): Api<undefined, ReplyOperation> {
  return {
    operations: servedOperations(buildHookOperations, registry),
    stages: replyStages(registry, () => ({ body = new Uint8Array() }) => ({ body })),
    sendError: (thrown, request, reply) => sendError(thrown, { request, reply }, registry.settings),
    maxBodyBytes: maxDeliveryBytes,
    bodies: "buffered",
    turnOfBody,
  };
}

/**
 * Reads a push from the body of a delivery. Undefined for other events, and for a deleted reference.
 * @param event the value of the header that names the event; undefined if the forge sends none
 * @throws RegistryError `invalid_request` for a body that cannot be read
 */
export function readPush(body: Uint8Array, event: string | undefined): Push | undefined {
  if (event !== undefined && !/^push(?: hook|_hook)?$|^tag push hook$/i.test(event)) return undefined;
  const { ref, after, checkout_sha, commit, deleted, default_branch, repository, project } = objectOf(body);
  const id = [checkout_sha, after, commit].find((each) => typeof each === "string");
  if (typeof ref !== "string" || !/^refs\/(?:heads|tags)\/[^\s]{1,240}$/.test(ref))
    throw invalidRequest("ref: expected the name of a branch or a tag, beginning with refs/heads/ or refs/tags/");
  if (deleted === true || (typeof id === "string" && /^0+$/.test(id))) return undefined;
  if (typeof id !== "string" || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id))
    throw invalidRequest("after: expected the hash of a commit");
  const defaults = [default_branch, memberOf(repository, "default_branch"), memberOf(project, "default_branch")];
  return { ref, commit: id, isDefaultBranch: defaults.some((branch) => `refs/heads/${branch}` === ref) };
}

function objectOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  const parsed = parseDelivery(body);
  if (isObject(parsed)) return parsed;
  throw invalidRequest("body: expected JSON: let the forge send application/json");
}

/** A push of thousands of files names each of them. */
const deliveryLimits = { mostValues: 500_000, mostDepth: 100 } as const;

function parseDelivery(body: Uint8Array): unknown {
  try {
    return parseBody(body, deliveryLimits);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw invalidRequest(`${error.message}: let the forge send application/json`);
  }
}
