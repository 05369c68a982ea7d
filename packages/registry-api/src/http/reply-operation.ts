import type { OutgoingHttpHeaders } from "node:http";
import {
  type ApiTypes,
  type BodyFrame,
  type ContentEncoding,
  compressBody,
  type Declaration,
  type Exchange,
  jsonPieces,
  negotiateEncoding,
  type Operation,
  operationsFor,
  type SentBody,
  type Stage,
  sendBody,
  sendBytes,
} from "@plimsoll/http";
import { noMailer } from "@plimsoll/registry/ports";
import type { Features } from "@plimsoll/registry/settings";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import { SerializedJson } from "@plimsoll/registry/values/serialized-json";
import { cooperativeYield } from "@plimsoll/store";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { DescribedAccess } from "../access/public-access.ts";
import type { RegistryOperation } from "../operation.ts";
import { checkWritable } from "./management-state.ts";
import type { ServedRegistry } from "./served-registry.ts";

/** The context of operations that send their own replies: pages, forms, and requests of programs that are not clients of the API. */
export interface ReplyContext {
  readonly registry: ServedRegistry;
  readonly request: RepliedRequest;
  readonly reply: FastifyReply;
}

/** A request without its query and its body: a handler gets those that its operation declares, and no others. */
export type RepliedRequest = Omit<FastifyRequest, "query" | "body">;

interface ReplyMembers {
  /** Whether it is offered although the registry is read-only: it changes only who is signed in. */
  readonly whileReadOnly?: boolean;
  /** Whether it is served only if the registry sends mail. */
  readonly needsMail?: boolean;
  /** Whether it is served only if there are identity providers. */
  readonly needsIdentityProviders?: boolean;
}

/** The parts of a request that its admission needs. */
interface ReplyAdmission {
  readonly registry: ServedRegistry;
  /** With its body: a form has a token, without which its caller is not admitted. */
  readonly request: FastifyRequest;
}

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

/** Prepares the reading of the query and the body that an operation declares. */
export type ReadRequest = (
  operation: ReplyOperation,
) => (request: FastifyRequest) => { readonly query?: unknown; readonly body?: unknown };

/** The stages of reply operations. @param readRequest reads what the operations declare */
export function replyStages(
  registry: ServedRegistry,
  readRequest: ReadRequest,
): readonly Stage<undefined, ReplyOperation>[] {
  return [refuseChanges(registry), admit(registry), read(readRequest), handle(registry), send];
}

/** The operations that a registry serves, by its features and ports. */
export function servedOperations(
  operations: readonly ReplyOperation[],
  { settings, mailer, identityProviders }: ServedRegistry,
): readonly ReplyOperation[] {
  return operations.filter(
    ({ feature, needsMail, needsIdentityProviders }) =>
      (feature === undefined || settings.features[feature]) &&
      (!needsMail || mailer !== noMailer) &&
      (!needsIdentityProviders || identityProviders.length > 0),
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

function read(readRequest: ReadRequest): Stage<undefined, ReplyOperation> {
  return {
    phase: "read",
    stepFor: (operation) => {
      const readOf = readRequest(operation);
      return (exchange) => {
        const { query, body } = readOf(exchange.request);
        exchange.query = query;
        exchange.body = body;
        return undefined;
      };
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

/**
 * Sends a body as a reply of Fastify, with the status and the headers of the reply.
 * @throws errors of {@link sendBody}; before the first byte, the caller can still send an error
 */
export async function sendReply(reply: FastifyReply, body: SentBody, frame: Omit<BodyFrame, "head">): Promise<void> {
  await sendBody(reply.raw, body, { ...frame, head: () => writeReplyHead(reply) });
  if (!reply.sent) reply.hijack(); // the client has left before the first byte
}

/** Writes the head of a reply. The caller writes the body. */
function writeReplyHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
}

const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The levels of a result at which lists may be long. The features of an image are the deepest. */
const levels = 4;

/**
 * Sends the JSON of an operation's result. A long result is written in chunks, at the pace of the client, so that other requests are
 * served in between.
 */
export async function sendResult(
  reply: FastifyReply,
  { success, mayBeLong }: Pick<RegistryOperation, "success" | "mayBeLong">,
  result: unknown,
): Promise<void> {
  reply.code(success).headers(headers);
  if (success === 204 || result === undefined) return void reply.send();
  reply.header("content-type", "application/json; charset=utf-8");
  if (result instanceof SerializedJson) {
    const { lengthBytes } = result;
    return sendLong(reply, result, { heldBytes: lengthBytes, lengthBytes });
  }
  if (!mayBeLong) return sendText(reply, textOf(result));
  const portions = jsonPieces(result, levels);
  const [first, second] = [await portions.next(), await portions.next()];
  if (second.done) return sendText(reply, first.value ?? "");
  try {
    await sendLong(reply, inTurns([first.value, second.value], portions), {});
  } finally {
    await portions.return(undefined); // if none of them was requested
  }
}

/** The memory of a long result, roughly: it is counted as long as its client reads. */
const resultBytes = 512 * 1024;

interface LongFrame {
  /** The memory that the body takes until it was sent. */
  readonly heldBytes?: number;
  /** The length of the body, where it is known. */
  readonly lengthBytes?: number;
}

/** Sends a long result, compressed where the client accepts that: the report of 5,000 findings is a twentieth then. */
async function sendLong(
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array>,
  { heldBytes = resultBytes, lengthBytes }: LongFrame,
): Promise<void> {
  const encoding = encodingFor(reply);
  if (encoding !== "identity") return sendCompressed(reply, body, { encoding, heldBytes });
  if (lengthBytes !== undefined) reply.header("content-length", lengthBytes);
  return sendReply(reply, body, { heldBytes, lengthBytes });
}

/** The encoding of a long result. One with an entity tag is sent as it is, because the tag stands for these bytes: RFC 9110 §8.8.3. */
function encodingFor(reply: FastifyReply): ContentEncoding {
  reply.header("vary", "Accept-Encoding");
  if (reply.hasHeader("etag")) return "identity";
  return negotiateEncoding(reply.request.headers["accept-encoding"])?.best ?? "identity";
}

interface CompressedFrame {
  readonly encoding: Exclude<ContentEncoding, "identity">;
  readonly heldBytes: number;
}

async function sendCompressed(
  reply: FastifyReply,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { encoding, heldBytes }: CompressedFrame,
): Promise<void> {
  reply.header("content-encoding", encoding);
  await sendReply(reply, compressBody(body, encoding), { heldBytes, chunks: "own" });
}

/** Texts that are shorter for sure are sent by Fastify. */
const shortLength = 16 * 1024;

async function sendText(reply: FastifyReply, text: string): Promise<void> {
  if (text.length <= shortLength) return void reply.send(text);
  const bytes = Buffer.from(text);
  const encoding = encodingFor(reply);
  if (encoding !== "identity") return sendCompressed(reply, [bytes], { encoding, heldBytes: bytes.length });
  reply.header("content-length", bytes.length);
  await sendBytes(reply.raw, bytes, { head: () => writeReplyHead(reply) });
}

async function* inTurns(begun: readonly string[], rest: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const yieldToOthers = cooperativeYield();
  for (const portion of begun) yield Buffer.from(portion);
  for await (const portion of rest) {
    await yieldToOthers();
    yield Buffer.from(portion);
  }
}

/** The JSON of a result. It is cached for frozen results, such as memoized views of cached rows. */
function textOf(result: unknown): string {
  if (typeof result !== "object" || result === null || !Object.isFrozen(result)) return JSON.stringify(result);
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text = JSON.stringify(result);
  texts.set(result, text);
  return text;
}

const texts = new WeakMap<object, string>();
