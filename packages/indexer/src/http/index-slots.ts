import { RequestError } from "@plimsoll/http";

/** A limit on the images that this node indexes at the same time. */
export interface IndexSlots {
  /** Takes a slot; disposing releases it. @throws RequestError `too_many_requests` if all are busy */
  take(): Disposable;
}

/**
 * Creates a limit on the images that are indexed at the same time.
 * @param count the number of slots
 * @param retryAfterSeconds the `Retry-After` for a client that found no free slot
 * @example
 * const slots = createIndexSlots(4, 30);
 * using slot = slots.take();
 */
export function createIndexSlots(count: number, retryAfterSeconds: number): IndexSlots {
  let busy = 0;
  return {
    take: () => {
      if (busy >= count) {
        const message = `all ${count} index slots are busy; try again in ${retryAfterSeconds} seconds`;
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
