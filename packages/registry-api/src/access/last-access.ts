/** How precisely it is known when something was last used: not every use is written down. */
const precisionMs = 60_000;

/** Whether a use is to be written down. @param lastAt the instant of the last one that is; null: there is none */
export function isNewAccess(lastAt: number | null, now: number): boolean {
  return now - (lastAt ?? 0) > precisionMs;
}
