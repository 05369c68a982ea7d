import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ImageQuestion, type LargeImages, RegistryError, SerializedJson } from "@plimsoll/registry";
import { hasCode } from "@plimsoll/store";
import pLimit from "p-limit";
import type { ServiceSettings } from "../config/service-settings.ts";
import { imageThreadUrl, threadOptions } from "../thread-urls.ts";

/** What a thread is given when it is started. */
export interface ThreadParts {
  readonly settings: ServiceSettings;
}

/** The message that asks a thread; those after it, `"next"`, ask for one part of the answer each. */
export interface ThreadOrder {
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

/** How long a thread that has answered a page of findings waits for the next page: as long as it keeps what it has read. */
const idleMs = 60_000;

/**
 * Answers questions about large images in threads of their own: one about a pull and one about a report at a time, so that their memory is
 * bounded and pulls do not wait for reports. A thread ends with its question, and gives its memory back; that of a page of findings waits
 * for the next page, which it answers at once, until another report is asked for.
 */
export function createLargeImages(settings: ServiceSettings): LargeImages {
  const [pulls, reports] = [pLimit(1), pLimit(1)];
  const idle = idleThread();
  return {
    async answer(question, { now, signal }) {
      const turns = isOfPull(question) ? pulls : reports;
      if (turns.pendingCount >= mostWaiting) throw new RegistryError("unavailable", tooMany, { retryAfterSeconds });
      const answered = turns(async () => {
        signal.throwIfAborted();
        const isOfFindings = question.kind === "findings";
        const longest = AbortSignal.timeout(longestMs);
        // what was begun for a visitor who types on is wanted for what they type next
        const within = isOfFindings ? longest : AbortSignal.any([signal, longest]);
        const waiting = isOfPull(question) ? undefined : idle.take();
        if (!isOfFindings) await waiting?.worker.terminate();
        const thread = (isOfFindings && waiting) || startThread(settings);
        let isKept = false;
        try {
          const answer = await ask(thread, { question, now }, within);
          isKept = isOfFindings;
          return answer;
        } finally {
          if (isKept) idle.put(thread);
          else await thread.worker.terminate();
        }
      });
      answered.catch(() => {}); // its client may have left
      return Promise.race([answered, whenAborted(signal)]);
    },
  };
}

interface Thread {
  readonly worker: Worker;
  /** Rejected when the thread ends. */
  readonly ended: Promise<never>;
}

/** Holds at most one thread, for a while. */
function idleThread() {
  let held: { readonly thread: Thread; readonly timer: NodeJS.Timeout } | undefined;
  const take = (): Thread | undefined => {
    if (held === undefined) return undefined;
    const { thread, timer } = held;
    clearTimeout(timer);
    held = undefined;
    thread.worker.ref();
    return thread;
  };
  return {
    take,
    put(thread: Thread): void {
      thread.worker.unref(); // it does not hold up the end of the process
      held = { thread, timer: setTimeout(() => take()?.worker.terminate(), idleMs).unref() };
      thread.ended.catch(() => held?.thread === thread && take());
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

function startThread(settings: ServiceSettings): Thread {
  const worker = new Worker(imageThreadUrl, {
    workerData: { settings } satisfies ThreadParts,
    execArgv: [...threadOptions],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const ended = endOf(worker);
  ended.catch(() => {}); // it may fail before it is waited for
  return { worker, ended };
}

/** Asks for one part after the other: all of them would arrive in one turn of the event loop. */
async function ask({ worker, ended }: Thread, order: ThreadOrder, signal: AbortSignal): Promise<SerializedJson> {
  const parts: Uint8Array[] = [];
  worker.postMessage(order);
  for (;;) {
    worker.postMessage("next");
    const [part] = (await Promise.race([once(worker, "message", { signal }), ended])) as [AnswerPart];
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
