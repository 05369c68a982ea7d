import { performance } from "node:perf_hooks";

const { nodeTiming } = performance;

/** More than one look at the sockets ever finds. */
const eventsModulus = 2 ** 20;

/**
 * A number that is another one each time after this thread has looked at its sockets: what came in from sockets and is worked on under
 * one number was there already when the first of it is worked on. Asking costs a tenth of a microsecond.
 *
 * The event loop counts its turns just before it looks, and the events of each look when they are worked on.
 * @see https://nodejs.org/api/perf_hooks.html#performancenodetiminguvmetricsinfo
 */
export function inputBatch(): number {
  const { loopCount, events } = nodeTiming.uvMetricsInfo;
  return loopCount * eventsModulus + (events % eventsModulus);
}
