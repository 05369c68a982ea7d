import { defaultEcosystems } from "@plimsoll/core";
import type { MatcherStore } from "./store/tables.ts";
import { loadedEcosystems } from "./store/update-operations.ts";

/**
 * The ecosystems whose advisories a database needs, as keys begin (`debian` of `debian:12`): those of its images and those that are loaded,
 * which would grow old otherwise. A database without either gets {@link defaultEcosystems}.
 * @param indexed the ecosystems under which packages of indexed images are looked up: `debian:12`, `npm`
 * @example
 * declare const store: MatcherStore;
 * await neededEcosystems(store, ["debian:12", "npm"]); // "debian", "npm" and what is loaded
 */
export async function neededEcosystems(store: MatcherStore, indexed: readonly string[]): Promise<ReadonlySet<string>> {
  const families = [...indexed, ...(await loadedEcosystems(store))].map(familyOf);
  return families.length === 0 ? defaultEcosystems : new Set(families);
}

function familyOf(ecosystem: string): string {
  return ecosystem.split(":", 1)[0] ?? ecosystem;
}
