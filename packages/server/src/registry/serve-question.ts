import type { MessagePort } from "node:worker_threads";
import { jsonPieces } from "@plimsoll/http";
import { RegistryError } from "@plimsoll/registry";
import { answerImageQuestion } from "@plimsoll/registry-api";
import type { ServiceSettings } from "../config/service-settings.ts";
import { openImageContext } from "./image-context.ts";
import type { AnswerPart, ThreadOrder } from "./large-images.ts";

/** The length of the parts. They are transferred and not copied. */
const partBytes = 256 * 1024;

/** The levels of an answer at which lists and maps may be long. */
const levels = 4;

/** Answers a question about images, in a thread of its own. */
export async function serveQuestion(port: MessagePort, { settings, question, now }: ThreadOrder): Promise<void> {
  const parts = partsOf(settings, { question, now });
  port.on("message", () => {
    parts.next().then(
      ({ value: bytes = new Uint8Array() }) => send(port, { bytes }),
      (error: Error) => send(port, { failure: failureOf(error) }),
    );
  });
}

function send(port: MessagePort, part: AnswerPart): void {
  port.postMessage(part, "bytes" in part ? [part.bytes.buffer] : []);
}

function failureOf(error: Error): Extract<AnswerPart, { readonly failure: object }>["failure"] {
  const { message } = error;
  return error instanceof RegistryError ? { code: error.code, message } : { message: error.stack ?? message };
}

async function* partsOf(
  settings: ServiceSettings,
  { question, now }: Omit<ThreadOrder, "settings">,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  await using resources = new AsyncDisposableStack();
  const context = await openImageContext(settings, now, resources);
  const answer = await answerImageQuestion(context, question, new AbortController().signal);
  let texts: string[] = [];
  let length = 0;
  for await (const piece of jsonPieces(answer, levels)) {
    texts.push(piece);
    length += piece.length;
    if (length < partBytes) continue;
    yield bytesOf(texts);
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield bytesOf(texts);
}

/** In a buffer of its own, since it is transferred. */
function bytesOf(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(texts.join(""));
}
