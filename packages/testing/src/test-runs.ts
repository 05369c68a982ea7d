/** Why tests that take many seconds are skipped: they run where `PLIMSOLL_TEST_ALL_RUNS` is set, as `.ci/run` sets it. */
export const noLongTests =
  process.env.PLIMSOLL_TEST_ALL_RUNS === undefined ? "PLIMSOLL_TEST_ALL_RUNS is not set" : undefined;

/**
 * How many runs a long property test makes: a quarter of the given number; all of it where `PLIMSOLL_TEST_ALL_RUNS` is set.
 *
 *     fc.assert(property, { seed: 1, numRuns: fullTestRuns(200) });
 */
export function fullTestRuns(numRuns: number): number {
  return noLongTests === undefined ? numRuns : Math.ceil(numRuns / 4);
}
