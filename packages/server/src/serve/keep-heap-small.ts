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
 * in use, because the machine has the memory, and a server is not alone there. Compiled code is as fast as ever while the heap is
 * small: the flag that makes V8 careful also makes it compile less.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(youngGeneration);
  let isCareful = false;
  const look = () => {
    const isLarge = getHeapStatistics().total_heap_size > largeHeapBytes;
    if (isLarge === isCareful) return;
    isCareful = isLarge;
    setFlagsFromString(isLarge ? "--optimize-for-size" : "--no-optimize-for-size");
  };
  setInterval(look, lookEveryMs).unref();
}
