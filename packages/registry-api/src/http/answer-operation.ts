import { notesOf } from "@plimsoll/http";
import { cannotUse } from "@plimsoll/store";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type AccessRequest, missingScope, refusal } from "../access/access.ts";
import { heldScopes, type Principal } from "../access/principal.ts";
import { holdsScope, type Scope } from "../access/scopes.ts";
import { standingOf } from "../access/standing.ts";
import type { Registry } from "../context.ts";
import { RegistryError } from "../errors.ts";
import type { AnyOperation, OperationInput, RegistryOperation } from "../operation.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { authenticate } from "./authenticate.ts";
import { checkBrowserCall } from "./browser-calls.ts";
import { noteCaller } from "./note-caller.ts";
import { type AdmittedRequest, operationContext } from "./operation-context.ts";
import { readAdmittedBody } from "./read-admitted-body.ts";
import { checkWritable } from "./read-only.ts";
import { requestReader } from "./read-request.ts";
import { sendResult } from "./send-result.ts";

/** The registry behind its API. */
export interface ServedRegistry extends Registry {
  readonly store: RegistryStore;
}

/** Answers a request that the router has led to an operation. */
export type AnswerOperation = (
  request: FastifyRequest,
  reply: FastifyReply,
  params: Readonly<Record<string, string>>,
) => Promise<void>;

/**
 * How one operation is answered: who calls, whether they may, what they ask, then the work. Nothing of the body is looked at
 * before the caller is admitted.
 */
export function answerOperation(declared: AnyOperation, registry: ServedRegistry): AnswerOperation {
  const operation = declared as unknown as RegistryOperation;
  const reader = requestReader(declared);
  const { store, settings, browserSessions } = registry;
  const isRead = operation.method === "GET";
  const change = (admission: AccessRequest, admitted: AdmittedRequest, input: OperationInput): Promise<unknown> =>
    store.transaction(async (db) => {
      const subject = await operation.access.admit({ ...admission, db }); // again: much may have changed meanwhile
      return operation.handle({ ...input, subject }, operationContext(registry, { ...admitted, subject }, db));
    });
  return async (request, reply, params) => {
    if (settings.browserCallsXhrOnly) checkBrowserCall(request, isRead);
    const now = registry.ports.clock.now();
    const query = request.query as Readonly<Record<string, unknown>>;
    const csrfToken = typeof query._csrf_token === "string" ? query._csrf_token : undefined;
    const credentials = { headers: request.headers, isRead, csrfToken };
    const caller = await authenticate({ db: store.db, browserSessions, now }, credentials);
    const { principal } = caller;
    noteCaller(notesOf(request.raw), principal);
    if (
      principal.kind === "anonymous" &&
      !settings.features.anonymousAccess &&
      operation.access.openTo !== "everybody"
    ) {
      throw refusal(principal, operation.access);
    }
    if (!isRead && !operation.whileReadOnly) checkWritable(settings);
    const standing = standingOf(principal, settings);
    const admission: AccessRequest = { db: store.db, settings, principal, standing, isRead, params };
    checkScope(principal, operation.access.scope);
    const subject = await operation.access.admit(admission);
    if (operation.freshLogin) checkFreshLogin(principal, now, settings.freshLoginSeconds);
    const asked = {
      subject,
      params,
      query: reader.query(query),
      body: reader.body(
        declared.body && (await readAdmittedBody(request, reply, settings.maxBodyBytes)),
        request.headers,
      ),
    };
    const admitted: AdmittedRequest = { request, reply, caller, standing, subject, now };
    const context = operationContext(registry, admitted, store.db);
    const input: OperationInput = { ...asked, prepared: await operation.prepare?.(asked, context) };
    const result = isRead
      ? await operation.handle(input, context)
      : await change(admission, admitted, input).catch((error: unknown) => {
          if (operation.withoutChanges !== true || !cannotUse(error)) throw error;
          reply.removeHeader("set-cookie"); // of a session that was not kept
          return operation.handle(input, { ...context, readOnly: error });
        });
    await sendResult(reply, operation, result);
  };
}

/** `repo:read` refuses nobody by itself: it caps the role, and what is public needs none. */
function checkScope(principal: Principal, scope: Scope | undefined): void {
  if (scope === undefined || scope === "repo:read" || holdsScope(heldScopes(principal), scope)) return;
  throw missingScope(scope);
}

function checkFreshLogin(principal: Principal, now: number, freshLoginSeconds: number): void {
  if (principal.kind !== "user" || principal.via.kind !== "session") return;
  if (principal.account.password_hash === null || now - principal.via.freshAt <= freshLoginSeconds * 1000) return;
  throw new RegistryError("fresh_login_required", "Requires fresh login");
}
