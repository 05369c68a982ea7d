import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { jsonPieces } from "@plimsoll/http";
import { RegistryError, type ReportWriter } from "@plimsoll/registry";
import { cooperativeYield, hasCode } from "@plimsoll/store";
import pLimit from "p-limit";
import { productVersion } from "../cli/product-version.ts";
import { reportThreadUrl, threadOptions } from "../thread-urls.ts";
import { type DocumentOrder, type DocumentPart, documentMakers, type ReportPart } from "./write-document.ts";

type Content = Pick<Parameters<ReportWriter["write"]>[0], "report" | "bill">;

/** The memory of a thread. The document of an image with 100,000 findings takes a gigabyte. */
const heapMegabytes = 2048;

/**
 * Writes the registry's reports in the formats of the commands. A document of 20,000 findings takes seconds, so it is written in a thread of its
 * own, one document at a time.
 */
export function createReportWriter(settings: Parameters<typeof documentMakers>[0] = {}): ReportWriter {
  const inTurn = pLimit(1);
  const stamp = { ...documentMakers(settings), toolVersion: productVersion };
  return {
    write: ({ report, bill, signal, ...about }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return writeInThread({ report, bill }, { ...about, ...stamp }, signal);
      }),
  };
}

async function writeInThread(content: Content, order: DocumentOrder, signal: AbortSignal): Promise<readonly string[]> {
  const thread = new Worker(reportThreadUrl, {
    workerData: order,
    env: {},
    execArgv: [...threadOptions],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  try {
    const ended = endOf(thread);
    ended.catch(() => {}); // the thread may fail while it is sent the report
    await sendContent(thread, content, signal);
    return await receive(thread, { ended, signal });
  } finally {
    await thread.terminate();
  }
}

/** Sends the report as JSON: copying it as an object would take as long as writing some of the documents. */
async function sendContent(thread: Worker, content: Content, signal: AbortSignal): Promise<void> {
  const yieldToOthers = cooperativeYield();
  for await (const json of jsonPieces(content, contentLevels)) {
    signal.throwIfAborted();
    send(thread, { json });
    await yieldToOthers();
  }
}

/** The levels at which lists and maps may be long: the ids in an enrichment of the report are the deepest. */
const contentLevels = 5;

function send(thread: Worker, part: ReportPart): void {
  thread.postMessage(part);
}

/** Asks for one part after the other: all of them would arrive in one turn of the event loop. */
async function receive(
  thread: Worker,
  { ended, signal }: { readonly ended: Promise<never>; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const yieldToOthers = cooperativeYield();
  const parts: string[] = [];
  for (;;) {
    send(thread, { wantsText: true });
    const [{ text }] = (await Promise.race([once(thread, "message", { signal }), ended])) as [DocumentPart];
    if (text === "") return parts;
    parts.push(text);
    await yieldToOthers();
  }
}

/** Rejected when the thread ends. */
async function endOf(thread: Worker): Promise<never> {
  try {
    await once(thread, "exit");
  } catch (error) {
    if (!hasCode(error, "ERR_WORKER_OUT_OF_MEMORY")) throw error;
    throw new RegistryError("downstream_issue", "The report is too large for this format");
  }
  throw new Error("the thread that writes a report has ended");
}
