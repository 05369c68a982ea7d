/**
 * How many runs a long property test makes: a quarter of the given number; all of it where `PLIMSOLL_TEST_ALL_RUNS` is set.
 *
 *     fc.assert(property, { seed: 1, numRuns: fullTestRuns(200) });
 */
export function fullTestRuns(numRuns: number): number {
  return process.env.PLIMSOLL_TEST_ALL_RUNS === undefined ? Math.ceil(numRuns / 4) : numRuns;
}
