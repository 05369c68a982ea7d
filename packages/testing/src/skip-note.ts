/**
 * The suffix of a test's title with the reason why it is skipped; empty where it runs. `.ci/run` removes it again to check that
 * every test ran in one of its runs (`scripts/test-results.mjs`).
 *
 * @param why without parentheses; undefined where the test runs
 */
export function skipNote(why: string | undefined): string {
  return why === undefined ? "" : ` (skipped: ${why})`;
}
