import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { type Component, packageOfComponent } from "./component.ts";
import type { SbomPackage, SbomProblem } from "./sbom.ts";

/** What is shown of what was wrong; more entries are counted in a last one. */
const listedProblems = 20;

/** An entry of a bill of materials and where it stands. */
export interface Entry {
  readonly at: string;
  readonly component: Component;
}

/** The packages of entries. An entry that cannot be read becomes a problem; the others count. */
export function collectPackages(
  entries: Iterable<Entry>,
  distribution: Omit<Distribution, "id"> | undefined,
): { readonly packages: readonly SbomPackage[]; readonly problems: readonly SbomProblem[] } {
  const packages: SbomPackage[] = [];
  const problems: SbomProblem[] = [];
  let more = 0;
  for (const { at, component } of entries) {
    try {
      const found = packageOfComponent(component, distribution);
      if (found !== undefined) packages.push(found);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      if (problems.length < listedProblems) problems.push({ at, message: error.message });
      else more++;
    }
  }
  const rest = more === 0 ? [] : [{ at: "", message: `and ${more} more entries that cannot be read` }];
  return { packages, problems: [...problems, ...rest] };
}
