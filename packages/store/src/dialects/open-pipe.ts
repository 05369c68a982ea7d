import { constants, open as openCallback } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { promisify } from "node:util";

const open = promisify(openCallback);

/**
 * Whether a path is a pipe: a FIFO, or a shell's `<(command)`. Nothing is opened.
 * @example
 * const path = "/dev/stdin";
 * if (await isPipe(path)) for await (const bytes of readPipe(path)) console.log(bytes.length);
 */
export async function isPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFIFO(),
    () => false,
  );
}

/**
 * Reads a pipe until its writer closes it. Opening a pipe the usual way blocks a thread until there is a writer, so that not even a signal
 * ends the process. This function waits like any other stream.
 * @param signal aborts waiting and reading
 * @throws the reason of the signal, or a system error, while iterating
 * @example
 * let length = 0;
 * for await (const bytes of readPipe("/tmp/image.tar", AbortSignal.timeout(60_000))) length += bytes.length;
 */
export async function* readPipe(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const fd = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  const giveUp = () => socket.destroy(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    yield* socket as AsyncIterable<Uint8Array>;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}
