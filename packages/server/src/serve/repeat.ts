import { setTimeout as delay } from "node:timers/promises";
import { inBackground } from "@plimsoll/store";

/** Something that is done again and again. */
export interface Repeated {
  readonly everyMs: number;
  act(signal: AbortSignal): Promise<unknown>;
  onError(error: unknown): void;
}

/** Does it in the background: at once and then again and again, never twice at a time. Disposing ends it and waits for the last turn. */
export function repeat({ everyMs, act, onError }: Repeated): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await act(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  }
  const running = inBackground(run);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort(new Error("the service stops"));
      await running;
    },
  };
}
