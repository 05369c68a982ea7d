import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { ownerOf } from "./owners.ts";

const keysOf = advisoryKeys(allDistributions.filter(({ listsUnfixed }) => listsUnfixed === true));

/**
 * A sentence that names the distribution package which owns a language package, where the distribution's advisories decide about
 * it; undefined for other packages. A distribution that lists only fixed vulnerabilities does not decide: advisories of the language
 * are used, since unfixed ones are listed only there.
 */
export function describedOwner(record: IndexRecord): string | undefined {
  const { distribution, repositories } = record;
  const owner = ownerOf(record);
  const [ecosystem] = owner === undefined || distribution === undefined ? [] : keysOf(distribution, repositories);
  if (ecosystem === undefined) return undefined;
  return `its file belongs to the package ${owner} of the distribution, which advisories of ${ecosystem} cover`;
}
