import { hash } from "node:crypto";
import { remember } from "@plimsoll/core/internal/remember";
import { checkMatch, checkOnlyNew, isConditional, judgeConditions } from "@plimsoll/http";
import { RegistryError } from "@plimsoll/registry/errors";
import { oneAtATime } from "@plimsoll/store";
import type { TObject } from "typebox";
import type { RegistryOperation } from "../operation.ts";
import type { ManagementExchange } from "./management-state.ts";
import { operationContext } from "./operation-context.ts";
import { requestReader } from "./read-request.ts";
import type { ServedRegistry } from "./served-registry.ts";

/**
 * The entity tag of what an operation reads, without quotes. It changes only with the members that the operation declares as those of
 * its version. @returns undefined if it declares none
 */
export function versionTag(
  { versionMembers: names }: Pick<RegistryOperation, "versionMembers">,
  answer: unknown,
): string | undefined {
  return names === undefined ? undefined : tagOfText(JSON.stringify(membersOf(answer, names)));
}

function membersOf(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => membersOf(each, names));
  return names.map((name) => (value as Readonly<Record<string, unknown>> | null)?.[name] ?? null);
}

/** Cached for short texts, so that they are not hashed at each reading. */
const tagOfText = remember((text) => hash("sha256", text ?? "", "base64url").slice(0, 22));

type Transaction = Parameters<Parameters<ServedRegistry["store"]["transaction"]>[0]>[0];

/**
 * Sets the `ETag` of a response that was read, so that an update can name the version that it replaces, and judges `If-Match`.
 * `If-None-Match` is ignored: the entity tag is that of a part of the response, so an unchanged tag does not mean an unchanged response.
 * @throws RequestError `precondition_failed`
 */
export function tagResponse(read: RegistryOperation, { request, reply, result }: ManagementExchange): void {
  const tag = versionTag(read, result);
  if (tag !== undefined) reply.header("etag", `"${tag}"`);
  checkMatch(request.headers, tag);
}

/**
 * Refuses a change whose `If-Match` or `If-None-Match` does not match the current version. What has no version matches `*` alone, and
 * only where something can be read at the path of the request; where nothing can, `*` is refused in both. It must be called in the transaction of every change, even without
 * conditions, because it serializes updates: of two at once, the second sees the changes of the first.
 * @throws RegistryError, RequestError `precondition_failed`
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 */
export async function checkConditions(
  registry: ServedRegistry,
  target: ConditionTarget,
  { exchange, db }: { readonly exchange: ManagementExchange; readonly db: Transaction },
): Promise<void> {
  const { headers } = exchange.request;
  const { read, hasVersion } = target;
  const hasConditions = isConditional(headers);
  if (read !== undefined && (hasVersion || hasConditions))
    await oneAtATime(registry.store, db, { name: lockOf(read, exchange) });
  if (!hasConditions) return;
  if (read === undefined) checkOnlyNew(headers);
  const current = await currentState(registry, target, { exchange, db });
  if (judgeConditions(headers, { ...current, isRead: false }) === "met") return;
  if (headers["if-none-match"] === undefined && !hasVersion) throw preconditionFailed(withoutVersion);
  if (headers["if-none-match"] === undefined && current === hidden) throw preconditionFailed(unreadable);
  const what = headers["if-none-match"] !== undefined ? "It already exists" : changedOrGone(current.tag);
  throw preconditionFailed(`${what}: read it again, and repeat the change on its current state`);
}

const withoutVersion = "If-Match: this operation has no version to compare. Repeat the request without the condition";
const unreadable = "If-Match: you may not read the version of this. Repeat the request without the condition";

/** The name of the lock of what is read, the same for all operations that change it. */
function lockOf({ id, path }: RegistryOperation, { params }: ManagementExchange): string {
  const named = Object.entries(params as object).filter(([name]) => path.includes(`{${name}}`));
  return `registry.update ${id} ${JSON.stringify(Object.fromEntries(named))}`;
}

function preconditionFailed(message: string): RegistryError {
  return new RegistryError("precondition_failed", message);
}

function changedOrGone(tag: string | undefined): string {
  return tag === undefined ? "It is not there any more" : "It was changed since it was read";
}

/** What is at the path of a request at this time. */
interface CurrentState {
  /** Absent if there is nothing, or nothing with a version. */
  readonly tag: string | undefined;
  readonly exists: boolean;
}

const nothing: CurrentState = { tag: undefined, exists: false };

/** What is there for a caller who may change it and not read it: no tag in a condition can be the current one. */
const hidden: CurrentState = { tag: undefined, exists: true };

/** The current state, as the same caller would read it. */
async function currentState(
  registry: ServedRegistry,
  { read, hasVersion }: ConditionTarget,
  { exchange, db }: { readonly exchange: ManagementExchange; readonly db: Transaction },
): Promise<CurrentState> {
  if (read === undefined) return nothing;
  const { params, mediaType, signal, state } = exchange;
  try {
    const subject = await read.access.admit({ ...state.admission, isRead: true, db } as never);
    const query = requestReader(read).query({});
    const input = { params, query, body: undefined, subject, prepared: undefined, mediaType, signal };
    const answer = await read.handle(input, operationContext(registry, exchange, db));
    return { tag: hasVersion ? versionTag(read, answer) : undefined, exists: true };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (absent.has(error.code)) return nothing;
    if (error.code === "insufficient_scope") return hidden;
    throw error;
  }
}

/** The errors of reading a missing resource. The contract has `invalid_request` for a role on a repository that is not granted. */
const absent: ReadonlySet<string> = new Set(["not_found", "invalid_request"]);

/** The resource against which the conditions of an operation's requests are judged. */
export interface ConditionTarget {
  /** The operation that reads it; undefined if nothing can be read at the path. */
  readonly read: RegistryOperation | undefined;
  /** Whether a tag in a condition can name its version: it is one for a read, and the declared one for a change. */
  readonly hasVersion: boolean;
}

/** Finds the target of each operation, by the id of the operation. */
export function conditionTargets(operations: readonly RegistryOperation[]): ReadonlyMap<string, ConditionTarget> {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const reads = new Map(operations.filter(canBeRepeated).map((read) => [pathOf(read), read]));
  return new Map(
    operations.map((operation) => {
      const { id, method, version, versionMembers } = operation;
      if (method === "GET") return [id, { read: operation, hasVersion: versionMembers !== undefined }];
      const read = version && (byId.get(version.id) ?? version); // a profile may have changed it
      return [id, { read: read ?? reads.get(pathOf(operation)), hasVersion: read !== undefined }];
    }),
  );
}

/** Whether the handler of a read operation can be called for a request of another operation. */
export function canBeRepeated({ method, prepare, audit, query }: RegistryOperation): boolean {
  const { required = [] } = (query ?? {}) as Partial<TObject>;
  return method === "GET" && prepare === undefined && audit === undefined && required.length === 0;
}

function pathOf({ path }: RegistryOperation): string {
  return path.replace(/\/$/, "");
}
