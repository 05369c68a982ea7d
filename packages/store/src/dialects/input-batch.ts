import { performance } from "node:perf_hooks";

const { nodeTiming } = performance;

/** More than the events of one poll of the sockets. */
const eventsModulus = 2 ** 20;

/**
 * A number that changes each time this thread polls its sockets. Input that is handled under one number had arrived before the first of it
 * was handled. Reading the number costs a tenth of a microsecond.
 *
 * The event loop counts its turns just before it polls, and counts the events of a poll when they are handled.
 * @see https://nodejs.org/api/perf_hooks.html#performancenodetiminguvmetricsinfo
 */
export function inputBatch(): number {
  const { loopCount, events } = nodeTiming.uvMetricsInfo;
  return loopCount * eventsModulus + (events % eventsModulus);
}
