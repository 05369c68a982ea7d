import { allDistributions } from "../distributions/all.ts";
import { advisoryKeys } from "../distributions/shared/keys.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { ownerOf } from "./owners.ts";

const keysOf = advisoryKeys(allDistributions.filter(({ listsUnfixed }) => listsUnfixed === true));

/**
 * The package of the distribution that brought a language's package, in a sentence, where the distribution's advisories tell
 * all that there is to tell of it; undefined for other packages. A distribution that lists only what it has fixed says nothing of
 * what is still to be fixed: there the language's advisories count.
 */
export function describedOwner(record: IndexRecord): string | undefined {
  const { distribution, repositories } = record;
  const owner = ownerOf(record);
  const [ecosystem] = owner === undefined || distribution === undefined ? [] : keysOf(distribution, repositories);
  if (ecosystem === undefined) return undefined;
  return `its file belongs to the package ${owner} of the distribution, which advisories of ${ecosystem} cover`;
}
