/**
 * What the title of a test says where it is skipped: nothing where it runs. `.ci/run` takes it off again to see, over all
 * its runs, that every test ran in one of them (`scripts/test-results.mjs`).
 *
 * @param why without parentheses; undefined where the test runs
 */
export function skipNote(why: string | undefined): string {
  return why === undefined ? "" : ` (skipped: ${why})`;
}
