import { setTimeout as delay } from "node:timers/promises";
import { inBackground } from "@plimsoll/store";

/** Options of {@link repeat}. */
export interface RepeatOptions {
  readonly everyMs: number;
  act(signal: AbortSignal): Promise<unknown>;
  onError(error: unknown): void;
}

/** Calls `act` in the background: at once, and then after each pause of `everyMs`. Disposing aborts a running call and waits for it. */
export function repeat({ everyMs, act, onError }: RepeatOptions): AsyncDisposable {
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
