/** Why tests that take many seconds are skipped. They run where `PLIMSOLL_TEST_ALL_RUNS` is set, as in `.ci/run`. */
export const noLongTests =
  process.env.PLIMSOLL_TEST_ALL_RUNS === undefined ? "PLIMSOLL_TEST_ALL_RUNS is not set" : undefined;

/**
 * The number of runs of a long property test: a quarter of the given number; all of them where `PLIMSOLL_TEST_ALL_RUNS` is set.
 *
 *     fc.assert(property, { seed: 1, numRuns: fullTestRuns(200) });
 */
export function fullTestRuns(numRuns: number): number {
  return noLongTests === undefined ? numRuns : Math.ceil(numRuns / 4);
}
