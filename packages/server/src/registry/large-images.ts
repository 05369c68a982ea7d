import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ImageQuestion, type LargeImages, RegistryError, SerializedJson } from "@plimsoll/registry";
import { hasCode } from "@plimsoll/store";
import pLimit from "p-limit";
import type { ServiceSettings } from "../config/service-settings.ts";
import { imageThreadUrl, threadOptions } from "../thread-urls.ts";

/** What a thread that answers a question is given. */
export interface ThreadOrder {
  readonly settings: ServiceSettings;
  readonly question: ImageQuestion;
  /** The time of the request, in epoch milliseconds. */
  readonly now: number;
}

/** A part of the answer, which the thread sends for each message: empty after the last. Or why there is no answer. */
export type AnswerPart =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: { readonly code?: RegistryError["code"]; readonly message: string } };

/** The memory of a thread. The document of an image with 100,000 findings takes a gigabyte. */
const heapMegabytes = 2048;

/** How long one question may take, and how many may wait. */
const [longestMs, mostWaiting] = [120_000, 64] as const;

/** When a client that was refused may try again. */
const retryAfterSeconds = 10;

/**
 * Answers questions about large images in threads of their own: one about a pull and one about a report at a time, so that their memory is
 * bounded and pulls do not wait for reports. A thread ends with its question, and gives its memory back.
 */
export function createLargeImages(settings: ServiceSettings): LargeImages {
  const [pulls, reports] = [pLimit(1), pLimit(1)];
  return {
    async answer(question, { now, signal }) {
      const turns = isOfPull(question) ? pulls : reports;
      if (turns.pendingCount >= mostWaiting) throw new RegistryError("unavailable", tooMany, { retryAfterSeconds });
      const answered = turns(async () => {
        signal.throwIfAborted();
        const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
        return answerInThread({ settings, question, now }, within);
      });
      return Promise.race([answered, whenAborted(signal)]);
    },
  };
}

const tooMany = "Too many reports of large images are being made; try again later";

/** Rejected when a signal is aborted: a client that has left does not wait for its turn. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

function isOfPull({ kind }: ImageQuestion): boolean {
  return kind === "decision" || kind === "gate";
}

async function answerInThread(workerData: ThreadOrder, signal: AbortSignal): Promise<SerializedJson> {
  const thread = new Worker(imageThreadUrl, {
    workerData,
    execArgv: [...threadOptions],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  try {
    const ended = endOf(thread);
    ended.catch(() => {}); // it may fail before it is waited for
    return await receive(thread, { ended, signal });
  } finally {
    await thread.terminate();
  }
}

/** Asks for one part after the other: all of them would arrive in one turn of the event loop. */
async function receive(
  thread: Worker,
  { ended, signal }: { readonly ended: Promise<never>; readonly signal: AbortSignal },
): Promise<SerializedJson> {
  const parts: Uint8Array[] = [];
  for (;;) {
    thread.postMessage("next");
    const [part] = (await Promise.race([once(thread, "message", { signal }), ended])) as [AnswerPart];
    if ("failure" in part) throw errorOf(part);
    if (part.bytes.length === 0) return new SerializedJson(parts);
    parts.push(part.bytes);
  }
}

function errorOf({ failure: { code, message } }: Extract<AnswerPart, { readonly failure: object }>): Error {
  return code === undefined ? new Error(message) : new RegistryError(code, message);
}

/** Rejected when the thread ends. */
async function endOf(thread: Worker): Promise<never> {
  try {
    await once(thread, "exit");
  } catch (error) {
    if (!hasCode(error, "ERR_WORKER_OUT_OF_MEMORY")) throw error;
    throw new RegistryError("downstream_issue", "The report of the image is too large");
  }
  throw new Error("the thread that answers a question about an image has ended");
}
