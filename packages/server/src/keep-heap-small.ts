import { getHeapStatistics, setFlagsFromString } from "node:v8";

/**
 * V8 keeps up to three times so much for objects that have just been made, in each thread. A large report would make it keep
 * 100 MB and more, for as long as the process lives.
 */
const youngGeneration = "--max-semi-space-size=8";

/** From here on V8 is to look for garbage before older objects have grown by more than a third. */
const largeHeapBytes = 64 * 1024 ** 2;
const lookEveryMs = 100;

/**
 * Keeps this process from holding memory that it does not need: left to itself V8 lets older objects grow to a multiple of what is
 * in use, because the machine has the memory, and a server is not alone there. The flag that makes V8 careful also makes it compile
 * less: it is set, for good, when the heap is large for the first time, and what is asked for most has been compiled by then.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(youngGeneration);
  const timer = setInterval(() => {
    if (getHeapStatistics().total_heap_size < largeHeapBytes) return;
    setFlagsFromString("--optimize-for-size");
    clearInterval(timer);
  }, lookEveryMs).unref();
}
