import {
  type ApiTypes,
  type Declaration,
  type Exchange,
  type Operation,
  operationsFor,
  type Stage,
} from "@plimsoll/http";
import type { Features } from "@plimsoll/registry/settings";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { DescribedAccess } from "../access/public-access.ts";
import { checkWritable } from "./read-only.ts";
import type { ServedRegistry } from "./served-registry.ts";

/** The context of operations that send their own replies: pages, forms, and requests of programs that are not clients of the API. */
export interface ReplyContext {
  readonly registry: ServedRegistry;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface ReplyMembers {
  /** Whether it is offered although the registry is read-only: it changes only who is signed in. */
  readonly whileReadOnly?: boolean;
  /** Whether it is served only if the registry sends mail. */
  readonly needsMail?: boolean;
  /** Whether it is served only if there are identity providers. */
  readonly needsIdentityProviders?: boolean;
}

/** The parts of a request that its admission needs. */
export type ReplyAdmission = Pick<ReplyContext, "registry" | "request">;

/** The callers that a reply operation admits. */
export type ReplyAccess<Subject> = DescribedAccess<Subject, ReplyAdmission>;

/** An operation that sends its own reply. */
export interface ReplyOperation extends Operation, ReplyMembers {
  readonly access: ReplyAccess<unknown>;
  readonly feature?: keyof Features;
}

interface ReplyTypes extends ApiTypes {
  readonly context: ReplyContext;
  readonly admission: ReplyAdmission;
  readonly accessMembers: Pick<ReplyAccess<unknown>, "who">;
  readonly feature: keyof Features;
  readonly logKind: LogKind;
  readonly members: ReplyMembers;
  /** The reply, which is sent: a page, a redirection, or no body. */
  readonly plainResult: FastifyReply;
  readonly operation: ReplyOperation;
}

/** Declares a reply operation. A result with a schema is sent as JSON; other handlers send the reply themselves. */
export const replyOperation = operationsFor<ReplyTypes>();

/** The stages of reply operations. */
export function replyStages(registry: ServedRegistry): readonly Stage<undefined, ReplyOperation>[] {
  return [refuseChanges(registry), admit(registry), handle(registry), send];
}

/** The operations that a registry serves, by its features and ports. */
export function servedOperations(
  operations: readonly ReplyOperation[],
  { settings, mailer, identityProviders }: ServedRegistry,
): readonly ReplyOperation[] {
  return operations.filter(
    ({ feature, needsMail, needsIdentityProviders }) =>
      (feature === undefined || settings.features[feature]) &&
      (!needsMail || mailer !== undefined) &&
      (!needsIdentityProviders || (identityProviders ?? []).length > 0),
  );
}

/** Refuses operations that change something while the registry is read-only: all methods except GET. */
function refuseChanges({ settings }: ServedRegistry): Stage<undefined, ReplyOperation> {
  return {
    phase: "feature",
    stepFor: ({ method, whileReadOnly }: Declaration & ReplyMembers) => {
      if (method === "GET" || whileReadOnly) return undefined;
      return () => void checkWritable(settings);
    },
  };
}

function admit(registry: ServedRegistry): Stage<undefined, ReplyOperation> {
  return {
    phase: "admit",
    stepFor:
      ({ access }) =>
      async (exchange) => {
        exchange.subject = await access.admit({ registry, request: exchange.request });
        return undefined;
      },
  };
}

function handle(registry: ServedRegistry): Stage<undefined, ReplyOperation> {
  return {
    phase: "transaction",
    stepFor: (operation) => async (exchange: Exchange<undefined>) => {
      const { request, reply } = exchange;
      exchange.result = await operation.handle(exchange, { registry, request, reply });
      return undefined;
    },
  };
}

/** Sends a result with a schema. Other handlers have sent the reply themselves. */
const send: Stage<undefined, ReplyOperation> = {
  phase: "write",
  stepFor: (operation) => {
    if (operation.result === undefined) return undefined;
    return ({ reply, result }) => {
      reply.send(result);
      return undefined;
    };
  },
};
