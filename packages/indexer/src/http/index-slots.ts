import { RequestError } from "@plimsoll/http";

/** How many images are indexed at the same time on this node. */
export interface IndexSlots {
  /** Takes a slot until it is disposed of. @throws RequestError `too_many_requests` when all are busy */
  take(): Disposable;
}

/**
 * Limits how many images are indexed at the same time.
 * @param count how many slots there are
 * @param retryAfterSeconds how long a client that found no free slot is asked to wait
 * @example
 * const slots = createIndexSlots(4, 30);
 * using slot = slots.take();
 */
export function createIndexSlots(count: number, retryAfterSeconds: number): IndexSlots {
  let busy = 0;
  return {
    take: () => {
      if (busy >= count) {
        const message = `all ${count} index slots are busy; come again in ${retryAfterSeconds} seconds`;
        throw new RequestError("too_many_requests", message, { retryAfterSeconds });
      }
      busy += 1;
      let isHeld = true;
      const release = () => {
        if (isHeld) busy -= 1;
        isHeld = false;
      };
      return { [Symbol.dispose]: release };
    },
  };
}
