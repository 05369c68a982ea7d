import type { ArchiveName } from "./archive-name.ts";
import { guessCoordinates, type Hints, versionIn } from "./guess.ts";
import type { Coordinates } from "./pom-properties.ts";

/** Coordinates, and the path of what tells them. */
export interface Told extends Coordinates {
  readonly path: string;
}

/** A package of an archive. */
export interface ArchivePackage extends Coordinates {
  /** What tells it, where the package is one of several that the archive is made of. */
  readonly path?: string;
}

/**
 * The packages that an archive consists of: itself, and those that were copied into it. It is the one whose artifact it is called by.
 * If it is called by none of them, it is guessed, unless its name tells no version: then it is one of them.
 */
export function packagesOf(told: readonly Told[], hints: Hints): readonly ArchivePackage[] {
  const own = findOwn(told, hints.name);
  const packages: ArchivePackage[] = told.filter((each) => each !== own);
  if (own !== undefined) return [withVersion(own, hints), ...packages];
  const isOneOfThem = told.length > 0 && hints.name.version === "";
  return isOneOfThem ? packages : [guessCoordinates(hints), ...packages];
}

function findOwn(told: readonly Told[], name: ArchiveName): Told | undefined {
  const [first, ...others] = told;
  if (first === undefined) return undefined;
  if (others.length === 0 && (name.version === "" || name.version === first.version)) return first;
  return told.find((each) => isCalled(name, each));
}

/** Whether a file is called by an artifact; in names of OSGi bundles the group comes before it. */
function isCalled(name: ArchiveName, { group, artifact, version }: Coordinates): boolean {
  if ([name.artifact, name.stem].some((each) => each === artifact || each === `${group}.${artifact}`)) return true;
  return version !== "" && `${name.artifact}-${name.version}` === `${artifact}-${version}`;
}

function withVersion({ group, artifact, version }: Told, { name, manifest }: Hints): ArchivePackage {
  const tellsVersion = name.version !== "" && name.stem !== artifact;
  const expected = tellsVersion ? name.version : versionIn(manifest);
  return { group, artifact, version: version === "" ? expected : version };
}
