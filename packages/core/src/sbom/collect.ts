import { normalizeStatedRelease } from "../distributions/shared/stated-release.ts";
import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { isObject, type JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { provenBySilence, sbomTools } from "../model/sbom-tools.ts";
import { type Component, packageOfComponent } from "./component.ts";
import type { Sbom, SbomPackage, SbomProblem } from "./sbom.ts";
import { systemsIn, withUnstatedFacts } from "./unstated-facts.ts";

/** The number of problems that are listed; a last problem counts the others. */
const maxListedProblems = 20;

/** An entry of a bill of materials. */
export interface Entry {
  /** Its place in the document: `components[3]`. */
  readonly at: string;
  readonly component: Component;
}

/**
 * The items of a list of entries. What is no object, or no list, is an object without members, which becomes a problem: it may be a package that
 * cannot be read. Some tools write `null` for an empty list.
 */
export function entriesOf(list: Json | undefined): readonly JsonObject[] {
  if (list === undefined || list === null) return [];
  const items = Array.isArray(list) ? (list as readonly Json[]) : [list];
  return items.map((item) => (isObject(item) && Array.isArray(list) ? item : {}));
}

/** A document whose entries are not read yet. */
export interface SbomReading extends Omit<Sbom, "packages" | "problems" | "systems"> {
  /** Lazy: each entry is made when it is iterated. */
  readonly entries: Iterable<Entry>;
  /** The names of the tools that made the document, as it has them. */
  readonly tools: readonly string[];
  /** All operating systems that the document lists, as it writes them, of which {@link SbomReading.distribution} is the first. */
  readonly systems?: readonly Omit<Distribution, "id">[];
  /** Completes the packages after all entries are read. Absent if they need nothing more. */
  readonly finish?: (packages: readonly SbomPackage[]) => readonly SbomPackage[];
}

/** Collects the packages of entries. An entry that cannot be read becomes a problem. */
export class PackageCollector {
  readonly #distribution: Omit<Distribution, "id"> | undefined;
  readonly #systems: ReadonlyMap<string, Omit<Distribution, "id">>;
  readonly #packages: SbomPackage[] = [];
  readonly #problems: SbomProblem[] = [];
  #more = 0;

  constructor({ distribution, systems = [] }: Pick<SbomReading, "distribution" | "systems">) {
    this.#distribution = distribution;
    this.#systems = new Map(systems.map((each) => [nameOf(each), normalizeStatedRelease(each)]));
  }

  add({ at, component }: Entry): void {
    try {
      const own = this.#systems.get(component.system?.toLowerCase() ?? "");
      const found = packageOfComponent(component, own ?? this.#distribution);
      if (found !== undefined) this.#packages.push(found);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      if (this.#problems.length < maxListedProblems) this.#problems.push({ at, message: error.message });
      else this.#more++;
    }
  }

  /** The document with the collected packages and problems. */
  sbomOf({ entries: _, systems: _systems, finish: settle, tools, ...head }: SbomReading): Sbom {
    const named = this.#systems.size > 0 ? [...this.#systems.values()] : [this.#distribution ?? []].flat();
    const statesGaps = tools.length > 0 && tools.every((tool) => sbomTools.plimsoll.named.test(tool));
    const systems = named.length === 0 || statesGaps ? undefined : named;
    const rest = this.#more === 0 ? [] : [{ at: "", message: `and ${this.#more} more entries that cannot be read` }];
    const packages = settle === undefined ? this.#packages : settle(this.#packages);
    const silence = provenBySilence({ tools, form: head.format, systems: systemsIn(packages) });
    return { ...head, systems, packages: withUnstatedFacts(packages, silence), problems: [...this.#problems, ...rest] };
  }
}

/** An operating system as components name it. */
function nameOf({ did = "", versionId }: Omit<Distribution, "id">): string {
  return [did, versionId ?? []].flat().join(" ").toLowerCase();
}
