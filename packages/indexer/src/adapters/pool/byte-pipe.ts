/**
 * Streams of bytes between threads. A pipe is the two ports of a channel:
 *
 *     writer → reader   *batch ( end / failure )
 *     reader → writer   *buffer                   a batch's memory, to be reused
 *
 * Memory is transferred, not copied, and only a few buffers exist: a writer waits for its reader. Either side leaves by
 * closing its port.
 */
import type { MessagePort } from "node:worker_threads";
import type { Bytes, ScanErrorCode } from "@plimsoll/core";
import { ScanError } from "@plimsoll/core/errors";

type Written =
  | { readonly kind: "batch"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" }
  | { readonly kind: "failure"; readonly code: ScanErrorCode | undefined; readonly message: string };

/**
 * Large enough that a transfer costs little compared to filling it. Small enough that the writer returns to its source soon even if a
 * batch decompresses to gigabytes: the source checks its deadline only when it is read.
 */
export const batchBytes = 64 * 1024;

/** The largest number of batches in transit. */
export const maxBuffers = 8;

/**
 * Sends bytes to the reader. When the reader leaves, it closes the source and returns.
 * @throws the errors of the source, which the reader gets too
 */
export async function writePipe(port: MessagePort, source: Bytes): Promise<void> {
  const buffers = new Buffers(openMailbox(port));
  const send = (message: Written, memory: ArrayBuffer[]): void => port.postMessage(message, memory);
  let batch: Uint8Array<ArrayBuffer> | undefined;
  let filled = 0;
  const sendBatch = (): void => {
    if (batch !== undefined) send({ kind: "batch", bytes: batch.subarray(0, filled) }, [batch.buffer]);
    batch = undefined;
    filled = 0;
  };
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; ) {
        batch ??= await buffers.take();
        if (batch === undefined) return;
        const part = chunk.subarray(at, at + batch.length - filled);
        batch.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled === batch.length) sendBatch();
      }
    }
    sendBatch();
    send({ kind: "end" }, []);
  } catch (error) {
    send({ kind: "failure", ...describe(error) }, []);
    throw error;
  }
}

/** The buffers of a writer. */
class Buffers {
  readonly #returned: Mailbox<ArrayBuffer>;
  #made = 0;

  constructor(returned: Mailbox<ArrayBuffer>) {
    this.#returned = returned;
  }

  /** An empty buffer; undefined if the reader has left. */
  async take(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#made < maxBuffers) {
      this.#made++;
      return new Uint8Array(batchBytes);
    }
    const buffer = await this.#returned.take();
    return buffer && new Uint8Array(buffer);
  }
}

function describe(error: unknown): { readonly code: ScanErrorCode | undefined; readonly message: string } {
  return {
    code: error instanceof ScanError ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}

/**
 * The bytes that the writer sends. Ending the iteration closes the pipe.
 * @throws the ScanError of the writer's source; Error if the writer has left
 */
export async function* readPipe(port: MessagePort): Bytes {
  const mailbox = openMailbox<Written>(port);
  try {
    for (;;) {
      const message = await mailbox.take();
      if (message === undefined) throw new Error("the thread at the other end of the pipe has ended");
      if (message.kind === "end") return;
      if (message.kind === "failure") throw toError(message);
      yield message.bytes;
      port.postMessage(message.bytes.buffer, [message.bytes.buffer]);
    }
  } finally {
    port.close();
  }
}

/** The error of which another thread sent the code and the message; `code` is absent for an internal error. */
export function toError({ code, message }: Omit<Extract<Written, { readonly kind: "failure" }>, "kind">): Error {
  return code === undefined ? new Error(message) : new ScanError(code, message);
}

/** A queue of a port's messages, which are awaited one by one. It must be the only listener of the port. */
interface Mailbox<Message> {
  /** The next message; undefined once either side has closed the port. Only one call at a time. */
  take(): Promise<Message | undefined>;
}

/** Opens the mailbox of a port. From now on the port keeps its thread alive until it is closed. */
export function openMailbox<Message>(port: MessagePort): Mailbox<Message> {
  const waiting: Message[] = [];
  let isClosed = false;
  let wake = (): void => {};
  port.on("message", (message: Message) => {
    waiting.push(message);
    wake();
  });
  port.on("close", () => {
    isClosed = true;
    wake();
  });
  return {
    async take() {
      while (waiting.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift();
    },
  };
}
