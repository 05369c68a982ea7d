import type { MessagePort } from "node:worker_threads";

/** A queue of a port's messages, which are awaited one by one. It must be the only listener of the port. */
export interface Mailbox<Message> {
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
