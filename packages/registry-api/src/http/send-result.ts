import { jsonPieces, sendBytes } from "@plimsoll/http";
import { SerializedJson } from "@plimsoll/registry/values/serialized-json";
import { cooperativeYield } from "@plimsoll/store";
import type { FastifyReply } from "fastify";
import type { RegistryOperation } from "../operation.ts";
import { sendReply, writeReplyHead } from "./send-reply.ts";

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
  if (result instanceof SerializedJson) return sendSerialized(reply, result);
  if (!mayBeLong) return sendText(reply, textOf(result));
  const portions = jsonPieces(result, levels);
  const [first, second] = [await portions.next(), await portions.next()];
  if (second.done) return sendText(reply, first.value ?? "");
  try {
    await sendReply(reply, inTurns([first.value, second.value], portions), { heldBytes: resultBytes });
  } finally {
    await portions.return(undefined); // if none of them was requested
  }
}

async function sendSerialized(reply: FastifyReply, result: SerializedJson): Promise<void> {
  const { lengthBytes } = result;
  reply.header("content-length", lengthBytes);
  await sendReply(reply, result, { heldBytes: lengthBytes, lengthBytes });
}

/** The memory of a long result, roughly: it is counted as long as its client reads. */
const resultBytes = 512 * 1024;

/** Texts that are shorter for sure are sent by Fastify. */
const shortLength = 16 * 1024;

async function sendText(reply: FastifyReply, text: string): Promise<void> {
  if (text.length <= shortLength) return void reply.send(text);
  const bytes = Buffer.from(text);
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
