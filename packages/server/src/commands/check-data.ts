import { type RiskFact, riskData } from "@plimsoll/core/internal";
import type { Scanner } from "@plimsoll/scanner";
import { databaseProblem } from "../cli/database-age.ts";
import { type FindingFilter, neededRiskFacts } from "../cli/finding-filter.ts";
import type { Session } from "../cli/session.ts";

/**
 * Warns if the advisory data are missing or old. Returns true if the command must stop: with `--strict` for any such problem, with
 * `--fail-on` if there are no data at all, or none of the facts by which alone it judges. A gate that has other terms, too, judges the scan first:
 * what it finds decides.
 */
export async function isDataMissing(
  session: Session,
  scanner: Scanner,
  failOn: FindingFilter | undefined,
): Promise<boolean> {
  const { strict, allowIncomplete, maxDbAgeDays } = session.settings;
  const feeds = await scanner.feeds();
  const problem = databaseProblem(feeds, maxDbAgeDays, session.io.now());
  if (problem !== undefined) session[strict ? "fail" : "warn"](problem);
  if (strict) return problem !== undefined;
  if (failOn === undefined || allowIncomplete) return false;
  const missing = feeds.length > 0 ? await missingFacts(scanner, failOn) : "advisory data";
  if (missing === undefined) return false;
  session.fail(`--fail-on cannot judge without ${missing}; --allow-incomplete lets it pass`);
  return true;
}

/** The first of the facts about vulnerabilities by which alone a gate judges, if none of them is loaded; undefined if it can judge by something. */
async function missingFacts(scanner: Scanner, failOn: FindingFilter): Promise<string | undefined> {
  const needed = neededRiskFacts(failOn);
  if (needed.length === 0 || failOn.severities.size > 0) return undefined;
  const { feeds } = await scanner.databaseStatus();
  const isLoaded = (fact: RiskFact) => feeds.some(({ name }) => name === riskData[fact].feed);
  const missing = needed.some(isLoaded) ? undefined : needed[0];
  return missing && `${riskData[missing].title} (plimsoll db update --feed ${riskData[missing].feed})`;
}
