/**
 * The queue of long work on this thread. Each turn of the event loop lets one piece of work run its next slice, so that requests wait for
 * one slice, however many pieces are under way. The state is that of the module, since a thread has one event loop.
 */
const waiting: (() => void)[] = [];

/** Waits for the next slice: until other events have been handled, and the work that asked before has had its slices. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runOne);
  });
}

function runOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runOne);
}
