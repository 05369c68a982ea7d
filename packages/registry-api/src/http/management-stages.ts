import { type Exchange, notesOf, type Stage } from "@plimsoll/http";
import { cannotUse } from "@plimsoll/store";
import { type AccessRequest, missingScope, type Params, refusal } from "../access/access.ts";
import { featureOff, featureOffOf } from "../access/feature-off.ts";
import { checkFreshLogin } from "../access/fresh-login.ts";
import { type GlobalRole, globalRoleOf } from "../access/global-role.ts";
import { heldScopes, type Principal } from "../access/principal.ts";
import { holdsScope, type Scope } from "../access/scopes.ts";
import type { OperationContext } from "../context.ts";
import type { RegistryOperation } from "../operation.ts";
import { authenticate, type Caller } from "./authenticate.ts";
import { checkBrowserCall } from "./browser-calls.ts";
import { noteCaller } from "./note-caller.ts";
import { noted } from "./noted.ts";
import { operationContext } from "./operation-context.ts";
import { readAdmittedBody } from "./read-admitted-body.ts";
import { checkWritable } from "./read-only.ts";
import { requestReader } from "./read-request.ts";
import { sendResult } from "./send-result.ts";
import type { ServedRegistry } from "./served-registry.ts";

/** What the stages of the management API note of a request. */
export class ManagementState {
  /** Epoch milliseconds. */
  now = 0;
  #caller: Caller | undefined;
  #admission: AccessRequest | undefined;

  identified(now: number, caller: Caller): void {
    this.now = now;
    this.#caller = caller;
  }

  admitting(admission: AccessRequest): void {
    this.#admission = admission;
  }

  get caller(): Caller {
    return noted(this.#caller);
  }

  get admission(): AccessRequest {
    return noted(this.#admission);
  }

  get globalRole(): GlobalRole {
    return this.admission.globalRole;
  }
}

type ManagementExchange = Exchange<ManagementState>;

type ManagementStage = Stage<ManagementState, RegistryOperation>;

/** The stages of the management API. Nothing of the body is looked at before the caller is admitted. */
export function managementStages(registry: ServedRegistry): readonly ManagementStage[] {
  return [
    guardBrowsers(registry),
    identify(registry),
    refuseFeaturesOff(registry),
    admit(registry),
    read(registry),
    prepare(registry),
    transact(registry),
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
      return ({ request }) => void checkBrowserCall(request, reads);
    },
  };
}

function identify({ store, ports, browserSessions }: ServedRegistry): ManagementStage {
  return {
    phase: "identify",
    stepFor: (operation) => {
      const reads = isRead(operation);
      return async ({ request, state }) => {
        const now = ports.clock.now();
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

/** Operations of features that are off keep their paths, so that no path means another operation without the feature. */
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
        exchange.subject = await access.admit(admission as never); // the router gave the parameters of its path
        if (freshLogin) checkFreshLogin(principal, state.now, settings.freshLoginSeconds);
        return undefined;
      };
    },
  };
}

/** Refuses a token without the scope. `repo:read` refuses no caller here: it caps the role, and public repositories need none. */
function checkScope(principal: Principal, scope: Scope | undefined): void {
  if (scope === undefined || scope === "repo:read" || holdsScope(heldScopes(principal), scope)) return;
  throw missingScope(scope);
}

function read({ settings }: ServedRegistry): ManagementStage {
  return {
    phase: "read",
    stepFor: (operation) => {
      const reader = requestReader(operation);
      const readBody = async (exchange: ManagementExchange): Promise<undefined> => {
        const { request, reply } = exchange;
        const bytes = await readAdmittedBody(request, reply, settings.maxBodyBytes);
        exchange.body = reader.body(bytes, request.headers);
      };
      return (exchange) => {
        exchange.query = reader.query(exchange.request.query as Readonly<Record<string, unknown>>);
        return operation.body === undefined ? undefined : readBody(exchange);
      };
    },
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

/** Runs an operation that writes in a transaction. Its caller is admitted again there: permissions may have changed meanwhile. */
function transact(registry: ServedRegistry): ManagementStage {
  const { store } = registry;
  const inTransaction = (operation: RegistryOperation, exchange: ManagementExchange): Promise<unknown> =>
    store.transaction(async (db) => {
      exchange.subject = await operation.access.admit({ ...exchange.state.admission, db } as never);
      return operation.handle(exchange, operationContext(registry, exchange, db));
    });
  return {
    phase: "transaction",
    stepFor: (operation) => {
      if (isRead(operation))
        return async (exchange) => {
          exchange.result = await operation.handle(exchange, operationContext(registry, exchange, store.db));
          return undefined;
        };
      return async (exchange) => {
        const { subject } = exchange;
        exchange.result = await inTransaction(operation, exchange).catch((error: unknown) => {
          if (operation.withoutChanges !== true || !cannotUse(error)) throw error;
          exchange.reply.removeHeader("set-cookie"); // of a session that was not kept
          exchange.subject = subject;
          const context: OperationContext = operationContext(registry, exchange, store.db);
          return operation.handle(exchange, { ...context, readOnly: error });
        });
        return undefined;
      };
    },
  };
}

const write: ManagementStage = {
  phase: "write",
  stepFor: (operation) => async (exchange) => {
    await sendResult(exchange.reply, operation, exchange.result);
    return undefined;
  },
};
