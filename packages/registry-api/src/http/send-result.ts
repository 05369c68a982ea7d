import { Readable } from "node:stream";
import { jsonPieces } from "@plimsoll/http";
import { cooperativeYield } from "@plimsoll/store";
import type { FastifyReply } from "fastify";
import type { RegistryOperation } from "../operation.ts";

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
  if (!mayBeLong) return void reply.send(textOf(result));
  const portions = jsonPieces(result, levels);
  const [first, second] = [await portions.next(), await portions.next()];
  if (second.done) return void reply.send(first.value ?? "");
  reply.send(Readable.from(inTurns([first.value, second.value], portions)));
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
