import { notesOf, type Stage } from "@plimsoll/http";
import { checkScope, type Params, refusal } from "@plimsoll/registry/access/access";
import { globalRoleOf } from "@plimsoll/registry/access/global-role";
import { accountOf } from "@plimsoll/registry/access/principal";
import { checkFreshLogin } from "@plimsoll/registry/access/session";
import { keptLimits } from "@plimsoll/registry/limits/kept-limits";
import { checkKept } from "@plimsoll/registry/limits/queries";
import { type AskedList, completeByToken, type PageSealing } from "@plimsoll/registry/lists/page-tokens";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { cannotUse } from "@plimsoll/store";
import { featureOff, featureOffOf } from "../access/public-access.ts";
import type { OperationContext } from "../context.ts";
import type { RegistryOperation } from "../operation.ts";
import { authenticate } from "./authenticate.ts";
import { checkBrowserCall } from "./browser-calls.ts";
import { checkWritable, type ManagementExchange, type ManagementState, noteCaller } from "./management-state.ts";
import { operationContext } from "./operation-context.ts";
import { readAdmittedBody, refuseAmbiguousPath, requestReader } from "./read-request.ts";
import { sendResult } from "./reply-operation.ts";
import type { ServedRegistry } from "./served-registry.ts";
import { type ConditionTarget, checkConditions, tagResponse } from "./update-conditions.ts";

type ManagementStage = Stage<ManagementState, RegistryOperation>;

/**
 * The stages of the management API. The body is not read before the caller is admitted.
 * @param targets what conditions are judged against, by the ids of operations
 */
export function managementStages(
  registry: ServedRegistry,
  targets: ReadonlyMap<string, ConditionTarget>,
): readonly ManagementStage[] {
  return [
    guardBrowsers(registry),
    identify(registry),
    refuseFeaturesOff(registry),
    admit(registry),
    read(registry),
    prepare(registry),
    transact(registry, targets),
    write,
  ];
}

function isRead({ method }: RegistryOperation): boolean {
  return method === "GET";
}

function guardBrowsers({ settings }: ServedRegistry): ManagementStage {
  return {
    phase: "identify",
    stepFor: (operation) => {
      if (!settings.browserCallsXhrOnly) return undefined;
      const reads = isRead(operation);
      return ({ request }) => void checkBrowserCall(request, { isRead: reads });
    },
  };
}

function identify({ store, clock, browserSessions }: ServedRegistry): ManagementStage {
  return {
    phase: "identify",
    stepFor: (operation) => {
      const reads = isRead(operation);
      return async ({ request, state }) => {
        const now = clock.now();
        const { _csrf_token: given } = request.query as Readonly<Record<string, unknown>>;
        const csrfToken = typeof given === "string" ? given : undefined;
        const credentials = { headers: request.headers, isRead: reads, csrfToken };
        const caller = await authenticate({ db: store.db, browserSessions, now }, credentials);
        noteCaller(notesOf(request.raw), caller.principal);
        state.identified(now, caller);
        return undefined;
      };
    },
  };
}

/** Operations of features that are off keep their paths, so that the path never matches another operation. */
function refuseFeaturesOff({ settings }: ServedRegistry): ManagementStage {
  return {
    phase: "feature",
    stepFor: (operation) => {
      const off = featureOffOf(operation, settings);
      if (off === undefined) return undefined;
      return () => {
        throw featureOff(off);
      };
    },
  };
}

function admit({ store, settings }: ServedRegistry): ManagementStage {
  return {
    phase: "admit",
    stepFor: (operation) => {
      const { access, freshLogin, whileReadOnly } = operation;
      const reads = isRead(operation);
      const onlyKnown = !settings.features.anonymousAccess && access.anonymous !== "always";
      return async (exchange) => {
        const { state } = exchange;
        const { principal } = state.caller;
        if (onlyKnown && principal.kind === "anonymous") throw refusal(principal, access);
        if (!reads && !whileReadOnly) checkWritable(settings);
        const params = exchange.params as Params;
        const globalRole = globalRoleOf(principal, settings);
        const admission = { db: store.db, settings, principal, globalRole, isRead: reads, params };
        state.admitting(admission);
        checkScope(principal, access.scope);
        if (!reads && exchange.otherReadings.length > 0) await refuseAmbiguousPath(exchange, operation, admission);
        exchange.subject = await access.admit(admission as never); // the router has set the parameters of its path
        if (freshLogin) checkFreshLogin(principal, state.now, settings.freshLoginSeconds);
        return undefined;
      };
    },
  };
}

function read({ settings, pageTokens }: ServedRegistry): ManagementStage {
  return {
    phase: "read",
    stepFor: (operation) => {
      const reader = requestReader(operation);
      const readBody = async (exchange: ManagementExchange): Promise<undefined> => {
        const { request, reply } = exchange;
        const bytes = await readAdmittedBody(request, reply, settings.maxBodyBytes);
        exchange.body = reader.body(bytes, request.headers);
      };
      const complete = isPaged(operation) ? completer(operation.id, pageTokens) : undefined;
      return (exchange) => {
        exchange.query = reader.query(exchange.request.query as Readonly<Record<string, unknown>>);
        complete?.(exchange);
        return operation.body === undefined ? undefined : readBody(exchange);
      };
    },
  };
}

function isPaged({ query }: RegistryOperation): boolean {
  return query !== undefined && "next_page" in query.properties;
}

/** Completes the query of a request that goes on with a list. */
function completer(operation: string, pageTokens: PageSealing) {
  return (exchange: ManagementExchange): void => {
    const query = exchange.query as AskedList["query"];
    exchange.state.asked = completeByToken(pageTokens, { operation, query });
    if (query.next_page !== undefined) exchange.query = { ...exchange.state.asked.query, next_page: query.next_page };
  };
}

function prepare(registry: ServedRegistry): ManagementStage {
  return {
    phase: "prepare",
    stepFor: (operation) => {
      if (operation.prepare === undefined) return undefined;
      return async (exchange) => {
        const context = operationContext(registry, exchange, registry.store.db);
        exchange.prepared = await operation.prepare?.(exchange, context);
        return undefined;
      };
    },
  };
}

/** Runs operations that write in a transaction. The caller is admitted again there, because permissions may have changed meanwhile. */
function transact(registry: ServedRegistry, targets: ReadonlyMap<string, ConditionTarget>): ManagementStage {
  const { store } = registry;
  const inTransaction = (
    operation: RegistryOperation,
    exchange: ManagementExchange,
    target: ConditionTarget | undefined,
  ): Promise<unknown> =>
    store.transaction(async (db) => {
      if (target !== undefined) await checkConditions(registry, target, { exchange, db });
      exchange.subject = await operation.access.admit({ ...exchange.state.admission, db } as never);
      const result = await operation.handle(exchange, operationContext(registry, exchange, db));
      await checkKeptOf(operation, exchange, { db, registry });
      return result;
    });
  return {
    phase: "transaction",
    stepFor: (operation) => {
      const target = targets.get(operation.id);
      if (isRead(operation))
        return async (exchange) => {
          exchange.result = await operation.handle(exchange, operationContext(registry, exchange, store.db));
          tagResponse(operation, exchange);
          return undefined;
        };
      return async (exchange) => {
        const { subject } = exchange;
        exchange.result = await inTransaction(operation, exchange, target).catch((error: unknown) => {
          if (operation.withoutChanges !== true || !cannotUse(error)) throw error;
          exchange.reply.removeHeader("set-cookie"); // the session was not stored
          exchange.subject = subject;
          const context: OperationContext = operationContext(registry, exchange, store.db);
          return operation.handle(exchange, { ...context, readOnly: error });
        });
        return undefined;
      };
    },
  };
}

/** Checks the limit of the rows that an operation adds. @throws KeptLimitReached */
async function checkKeptOf(
  { keeps: name }: RegistryOperation,
  { subject, state }: ManagementExchange,
  { db, registry }: { readonly db: RegistryDb; readonly registry: Pick<ServedRegistry, "settings" | "tagRoom"> },
): Promise<void> {
  if (name === undefined) return;
  const { repository, organization, team } = subject as OwningSubject;
  const owners = { repository, team, namespace: organization ?? namespaceOf(repository), user: undefined };
  const owner = owners[keptLimits[name].per] ?? accountOf(state.caller.principal);
  if (owner === undefined) return;
  await checkKept(db, { name, ownerId: owner.id, mosts: registry.settings.keptLimits });
  if (name === "tags") registry.tagRoom.take(owner.id, 1);
}

function namespaceOf(repository: OwningSubject["repository"]): { readonly id: string } | undefined {
  return repository && { id: repository.namespace_id };
}

/** The parts of a subject that may own rows; without any, the caller owns them. */
interface OwningSubject {
  readonly repository?: { readonly id: string; readonly namespace_id: string };
  readonly organization?: { readonly id: string };
  readonly team?: { readonly id: string };
}

const write: ManagementStage = {
  phase: "write",
  stepFor: (operation) => async (exchange) => {
    await sendResult(exchange.reply, operation, exchange.result);
    return undefined;
  },
};
