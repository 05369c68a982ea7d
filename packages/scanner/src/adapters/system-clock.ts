/** The system clock. */
export const systemClock = { now: () => Date.now() };
