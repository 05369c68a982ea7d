import type { Scanner } from "@plimsoll/scanner";
import { databaseProblem } from "../cli/database-age.ts";
import type { FindingFilter } from "../cli/finding-filter.ts";
import type { Session } from "../cli/session.ts";

/**
 * Warns if the advisory data are missing or old. Returns true if the command must stop: with `--strict` for any such problem, with
 * `--fail-on` if there are no data at all.
 */
export async function isDataMissing(
  session: Session,
  scanner: Scanner,
  failOn: FindingFilter | undefined,
): Promise<boolean> {
  const { strict, allowIncomplete, maxDbAgeDays } = session.settings;
  const feeds = await scanner.feeds();
  const problem = databaseProblem(feeds, maxDbAgeDays, session.io.now());
  if (problem !== undefined) session.warn(problem);
  if (strict) return problem !== undefined;
  if (failOn === undefined || allowIncomplete || feeds.length > 0) return false;
  session.warn("--fail-on cannot judge without advisory data; --allow-incomplete lets it pass");
  return true;
}
