import { invalidRequest } from "../errors.ts";

/** Takes steps of matching from a budget. @throws RegistryError `invalid_request` when there are no more */
export type SpendSteps = (steps: number) => void;

/**
 * The most steps of matching in one job, for one repository. A step is one instruction of an expression for one character of a name; ten
 * to twenty nanoseconds. Twenty policies of 30 instructions and 100,000 tags of 12 characters take about 800 million at most.
 */
export const stepsOfJob = 1_000_000_000;

/**
 * The most steps of matching in one request, or in one transaction, which others wait for: about 40 milliseconds. Twenty policies of 30
 * instructions and 100 tags of 12 characters take 780,000 at most.
 */
export const stepsAtOnce = 2_000_000;

/**
 * Bounds the work of matching. It counts steps and no time, so that it ends at the same place on each machine.
 * @param most how many steps there are
 * @param what what is matched with what, for the message, such as `the tags of a/b with its prune policies`
 *
 * @example
 * const spend = stepBudget(1000, "the tags with the policies");
 * spend(1001); // throws
 */
export function stepBudget(most: number, what: string): SpendSteps {
  let left = most;
  return (steps) => {
    left -= steps;
    if (left >= 0) return;
    throw invalidRequest(
      `Matching ${what} takes more than ${most} steps: use fewer patterns, shorter ones, or smaller counts such as {1,3}`,
    );
  };
}
