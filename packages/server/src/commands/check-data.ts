import type { Scanner } from "@plimsoll/scanner";
import { databaseProblem } from "../cli/database-age.ts";
import type { FindingFilter } from "../cli/finding-filter.ts";
import type { Session } from "../cli/session.ts";

/**
 * Says what is wrong with the advisory data; true when `--strict` forbids to go on with it, or when there is none and
 * `--fail-on` is to judge by it.
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
