import { isConditional, judgeConditions } from "@plimsoll/http";
import { oneAtATime } from "@plimsoll/store";
import type { FastifyReply } from "fastify";
import { RegistryError } from "../errors.ts";
import type { ManagementExchange } from "./management-state.ts";
import { operationContext } from "./operation-context.ts";
import { requestReader } from "./read-request.ts";
import type { ReplacedPart } from "./replaced-part.ts";
import type { ServedRegistry } from "./served-registry.ts";

type Transaction = Parameters<Parameters<ServedRegistry["store"]["transaction"]>[0]>[0];

/** Sets the `ETag` of a response that was read, so that an update can name the version that it replaces. */
export function sendTag(reply: FastifyReply, part: ReplacedPart, answer: unknown): void {
  reply.header("etag", `"${part.tagOf(answer)}"`);
}

/**
 * Refuses an update whose `If-Match` or `If-None-Match` does not match the current version. It must be called in the transaction of every
 * update, even without conditions, because it serializes updates: of two at once, the second sees the changes of the first.
 * @throws RegistryError `precondition_failed`
 */
export async function checkConditions(
  registry: ServedRegistry,
  part: ReplacedPart,
  { exchange, db }: { readonly exchange: ManagementExchange; readonly db: Transaction },
): Promise<void> {
  const { params, request } = exchange;
  await oneAtATime(registry.store, db, { name: `registry.update ${part.read.id} ${JSON.stringify(params)}` });
  if (!isConditional(request.headers)) return;
  const tag = await currentTag(registry, part, { exchange, db });
  if (judgeConditions(request.headers, { tag, isRead: false }) === "met") return;
  const what = request.headers["if-none-match"] !== undefined ? "It already exists" : changedOrGone(tag);
  throw new RegistryError("precondition_failed", `${what}: read it again, and repeat the change on its current state`);
}

function changedOrGone(tag: string | undefined): string {
  return tag === undefined ? "It is not there any more" : "It was changed since it was read";
}

/** The entity tag of the current version, as the same caller would read it; undefined if the resource does not exist. */
async function currentTag(
  registry: ServedRegistry,
  { read, tagOf }: ReplacedPart,
  { exchange, db }: { readonly exchange: ManagementExchange; readonly db: Transaction },
): Promise<string | undefined> {
  const { params, mediaType, signal, state } = exchange;
  try {
    const subject = await read.access.admit({ ...state.admission, isRead: true, db } as never);
    const query = requestReader(read).query({});
    const input = { params, query, body: undefined, subject, prepared: undefined, mediaType, signal };
    return tagOf(await read.handle(input, operationContext(registry, exchange, db)));
  } catch (error) {
    if (error instanceof RegistryError && absent.has(error.code)) return undefined;
    throw error;
  }
}

/** The errors of reading a missing resource. The contract has `invalid_request` for a role on a repository that is not granted. */
const absent: ReadonlySet<string> = new Set(["not_found", "invalid_request"]);
