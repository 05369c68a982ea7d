import { languageKey, unstatedKey } from "../model/package.ts";
import type { Sbom, SbomPackage, SbomProblem } from "./sbom.ts";

/** A bill of materials, and its name among those of one subject. */
export interface NamedSbom {
  /** For problems: `line 2`. */
  readonly name: string;
  readonly sbom: Sbom;
}

/**
 * One bill of materials with the packages of several about the same subject. A package that several of them list is there once: as the document has it
 * that states most facts about it, the first of equals. What any of them lacks by its own words, it lacks.
 */
export function mergeSboms(named: readonly NamedSbom[]): Sbom {
  const sboms = named.map(({ sbom }) => sbom);
  const [subject] = sboms.flatMap((each) => each.subject ?? []);
  const [distribution] = sboms.flatMap((each) => each.distribution ?? []);
  const gaps = sboms.flatMap((each) => each.gaps ?? []);
  return {
    format: sboms[0]?.format ?? "CycloneDX",
    subject,
    distribution,
    packages: mergePackages(sboms),
    problems: named.flatMap(problemsOf),
    gaps:
      gaps.length > 0
        ? {
            problems: gaps.flatMap(({ problems }) => problems),
            unassessed: gaps.flatMap(({ unassessed }) => unassessed),
          }
        : undefined,
  };
}

function mergePackages(sboms: readonly Sbom[]): readonly SbomPackage[] {
  const merged: SbomPackage[] = [];
  const places = new Map<string, number[]>();
  for (const { packages } of sboms) {
    const seen = new Map<string, number>(); // a document may list a package twice: for two places, or two owners
    for (const each of packages) {
      const identity = identityOf(each);
      const count = seen.get(identity) ?? 0;
      seen.set(identity, count + 1);
      const known = places.get(identity) ?? [];
      const place = known[count];
      if (place === undefined) places.set(identity, [...known, merged.push(each) - 1]);
      else if (unstatedIn(each) < unstatedIn(merged[place])) merged[place] = each;
    }
  }
  return merged;
}

/** The same for entries of several documents about one package, whatever else each of them states. */
function identityOf({ package: found, repositories, distribution, purl = "" }: SbomPackage): string {
  const language = repositories.find(({ key }) => key === languageKey)?.name;
  const type =
    language ?? (distribution === undefined ? (found.cpe ?? /^pkg:([^/]+)/.exec(purl)?.[1] ?? "") : "distribution");
  const version = found.version.replace(language === undefined ? /^\d+:/ : /^v(?=\d)/, "");
  return JSON.stringify([type, found.name, version, language === undefined ? (found.arch ?? "") : "", found.kind]);
}

function unstatedIn(entry: SbomPackage | undefined): number {
  return entry?.repositories.filter(({ key }) => key === unstatedKey).length ?? 0;
}

function problemsOf({ name, sbom }: NamedSbom): readonly SbomProblem[] {
  return sbom.problems.map(({ at, message }) => ({ at: at === "" ? name : `${name}: ${at}`, message }));
}
