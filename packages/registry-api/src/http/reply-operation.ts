import {
  type Access,
  type ApiTypes,
  type Declaration,
  type Exchange,
  type Operation,
  operationsFor,
  type Stage,
} from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Features } from "../settings.ts";
import type { LogKind } from "../values/log-kinds.ts";
import { checkWritable } from "./read-only.ts";
import type { ServedRegistry } from "./served-registry.ts";

/** What operations work with that answer by themselves: pages, forms, and what other programs than clients of the API ask. */
export interface ReplyContext {
  readonly registry: ServedRegistry;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface ReplyMembers {
  /** Whether it is answered although the registry is read-only: it changes only who is signed in. */
  readonly whileReadOnly?: boolean;
  /** Served only where the registry sends mail. */
  readonly needsMail?: boolean;
}

/** An operation that answers by itself; its handlers find out who asks. */
export interface ReplyOperation extends Operation, ReplyMembers {
  readonly feature?: keyof Features;
}

interface ReplyTypes extends ApiTypes {
  readonly context: ReplyContext;
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: keyof Features;
  readonly logKind: LogKind;
  readonly members: ReplyMembers;
  readonly plainResult: unknown;
  readonly operation: ReplyOperation;
}

/** Declares such an operation. What its handler resolves to is sent, unless it is the reply. */
export const replyOperation = operationsFor<ReplyTypes>();

/** Handlers ask for sessions, proofs or credentials themselves: pages answer without any in their own way. */
export const handlerAdmits: Access<undefined, unknown> = { anonymous: "always", admit: async () => undefined };

/** The stages of such operations. */
export function replyStages(registry: ServedRegistry): readonly Stage<undefined, ReplyOperation>[] {
  return [refuseChanges(registry), handle(registry), send];
}

/** The operations that a registry has: with its features, and with mail. */
export function servedOperations(
  operations: readonly ReplyOperation[],
  { settings, ports }: ServedRegistry,
): readonly ReplyOperation[] {
  return operations.filter(
    ({ feature, needsMail }) =>
      (feature === undefined || settings.features[feature]) && (!needsMail || ports.mailer !== undefined),
  );
}

/** The path of an operation is that of several methods; whether one of them changes anything is said by the method. */
function refuseChanges({ settings }: ServedRegistry): Stage<undefined, ReplyOperation> {
  return {
    phase: "feature",
    stepFor: ({ method, whileReadOnly }: Declaration & ReplyMembers) => {
      if (method === "GET" || whileReadOnly) return undefined;
      return () => void checkWritable(settings);
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

const send: Stage<undefined, ReplyOperation> = {
  phase: "write",
  stepFor:
    () =>
    ({ reply, result }) => {
      if (result !== reply) reply.send(result);
      return undefined;
    },
};
