import type { UnassessedPackages } from "@plimsoll/scanner";
import { counted } from "./counted.ts";

/** Kinds of packages that were not assessed, and a text about the number of other kinds. */
export interface UnassessedKinds {
  readonly named: readonly UnassessedPackages[];
  readonly others?: string;
}

/** The kinds with the most evidence. @param most how many of them are named */
export function unassessedKinds(unassessed: readonly UnassessedPackages[], most: number): UnassessedKinds {
  const named = unassessed.toSorted((one, other) => other.count - one.count).slice(0, most);
  const left = unassessed.length - named.length;
  return { named, others: left > 0 ? counted(left, "more kind") : undefined };
}
