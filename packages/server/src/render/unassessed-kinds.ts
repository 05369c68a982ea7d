import type { UnassessedPackages } from "@plimsoll/scanner";
import { counted } from "./counted.ts";

/** Some kinds of packages that were not assessed, and in words how many more there are. */
export interface UnassessedKinds {
  readonly named: readonly UnassessedPackages[];
  readonly others?: string;
}

/** The kinds with the most evidence, at most so many. */
export function unassessedKinds(unassessed: readonly UnassessedPackages[], most: number): UnassessedKinds {
  const named = unassessed.toSorted((one, other) => other.count - one.count).slice(0, most);
  const left = unassessed.length - named.length;
  return { named, ...(left > 0 && { others: counted(left, "more kind") }) };
}
