import { setImmediate as nextTurn } from "node:timers/promises";

/** Shorter bodies are joined, decoded and parsed in less than a millisecond. */
const shortBytes = 64 * 1024;

/** The turn of the long body that asked last. The state is that of the module, since a thread has one event loop. */
let last: Promise<void> = Promise.resolve();

/**
 * Waits until a long body, or another long text of a request, may be processed: one in each turn of the event loop. When several have arrived at
 * once, others are answered between them.
 * @example
 * declare const chunks: readonly Uint8Array[];
 * await turnOfBody(8_000_000);
 * const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
 */
export async function turnOfBody(bytes: number): Promise<void> {
  if (bytes <= shortBytes) return;
  last = last.then(() => nextTurn());
  await last;
}
