import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { type Component, packageOfComponent } from "./component.ts";
import type { Sbom, SbomPackage, SbomProblem } from "./sbom.ts";

/** What is shown of what was wrong; more entries are counted in a last one. */
const listedProblems = 20;

/** An entry of a bill of materials and where it stands. */
export interface Entry {
  readonly at: string;
  readonly component: Component;
}

/** A document whose entries were not read yet. */
export interface SbomReading extends Omit<Sbom, "packages" | "problems"> {
  /** Made one by one, as they are asked for. */
  readonly entries: Iterable<Entry>;
  /** What becomes of the packages when all are there; they stay as they are where absent. */
  readonly settle?: (packages: readonly SbomPackage[]) => readonly SbomPackage[];
}

/** Reads entries. One that cannot be read becomes a problem; the others count. */
export class PackageCollector {
  readonly #distribution: Omit<Distribution, "id"> | undefined;
  readonly #packages: SbomPackage[] = [];
  readonly #problems: SbomProblem[] = [];
  #more = 0;

  constructor(distribution: Omit<Distribution, "id"> | undefined) {
    this.#distribution = distribution;
  }

  add({ at, component }: Entry): void {
    try {
      const found = packageOfComponent(component, this.#distribution);
      if (found !== undefined) this.#packages.push(found);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      if (this.#problems.length < listedProblems) this.#problems.push({ at, message: error.message });
      else this.#more++;
    }
  }

  /** The document with what was read of it. */
  sbomOf({ entries: _, settle, ...head }: SbomReading): Sbom {
    const rest = this.#more === 0 ? [] : [{ at: "", message: `and ${this.#more} more entries that cannot be read` }];
    const packages = settle === undefined ? this.#packages : settle(this.#packages);
    return { ...head, packages, problems: [...this.#problems, ...rest] };
  }
}
