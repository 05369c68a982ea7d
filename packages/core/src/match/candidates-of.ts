import { candidateKey, otherIdentityKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins/matcher.ts";

/**
 * The names that a package may have, if its file does not state its whole name. Each is a guess; see {@link candidateKey}.
 * @example
 * declare const explanation: Explanation;
 * const names = explanation.records.flatMap(({ record }) => candidatesOf(record));
 */
export function candidatesOf({ repositories }: Pick<IndexRecord, "repositories">): readonly string[] {
  return repositories.flatMap(({ key, name }) => (key === candidateKey && name !== undefined ? [name] : []));
}

/**
 * What other facts about its file say that a package is; see {@link otherIdentityKey}.
 * @example
 * declare const explanation: Explanation;
 * const others = explanation.records.flatMap(({ record }) => otherIdentitiesOf(record));
 */
export function otherIdentitiesOf({ repositories }: Pick<IndexRecord, "repositories">): readonly string[] {
  return repositories.flatMap(({ key, name }) => (key === otherIdentityKey && name !== undefined ? [name] : []));
}
