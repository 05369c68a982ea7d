/** The clock of the machine. */
export const systemClock = { now: () => Date.now() };
