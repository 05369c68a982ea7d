import type { MessagePort } from "node:worker_threads";

/** The messages of a port, to be waited for one by one. It is the only listener of the port. */
export interface Mailbox<Message> {
  /** The next message; undefined once the port is closed, on whichever side. One call at a time. */
  take(): Promise<Message | undefined>;
}

/** A mailbox on a port; from now on the port keeps its thread alive until it is closed. */
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
