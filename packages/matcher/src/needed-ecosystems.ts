import { defaultEcosystems } from "@plimsoll/core/internal";
import type { MatcherStore } from "./store/tables.ts";
import { loadedEcosystems } from "./store/update-operations.ts";

/**
 * The families of ecosystems (`debian` for `debian:12`) whose advisories a database needs: those of its images, and those that are already loaded,
 * so that they do not become outdated. A database without either gets {@link defaultEcosystems}.
 * @param indexed the ecosystems of packages in indexed images: `debian:12`, `npm`
 * @example
 * declare const store: MatcherStore;
 * await neededEcosystems(store, ["debian:12", "npm"]); // "debian", "npm" and the loaded ones
 */
export async function neededEcosystems(store: MatcherStore, indexed: readonly string[]): Promise<ReadonlySet<string>> {
  const families = [...indexed, ...(await loadedEcosystems(store))].map(familyOf);
  return families.length === 0 ? defaultEcosystems : new Set(families);
}

function familyOf(ecosystem: string): string {
  return ecosystem.split(":", 1)[0] ?? ecosystem;
}
