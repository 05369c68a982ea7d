import type { ArchiveName } from "./archive-name.ts";
import { guessCoordinates, type Hints, versionIn } from "./guess.ts";
import type { Manifest } from "./manifest.ts";
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
  const own = findOwn(told, hints);
  const packages: ArchivePackage[] = told.filter((each) => each !== own);
  if (own !== undefined) return [withVersion(own, hints), ...packages];
  const isOneOfThem = told.length > 1 && hints.name.version === "";
  return isOneOfThem ? packages : [guessCoordinates(hints), ...packages];
}

function findOwn(told: readonly Told[], { name, manifest }: Hints): Told | undefined {
  const called = told.find((each) => isCalled(name, each));
  const [first, ...others] = told;
  if (called !== undefined || first === undefined || others.length > 0) return called;
  const isItsVersion = name.version === "" || name.version === first.version;
  return isItsVersion && !isOtherBundle(manifest, first) ? first : undefined;
}

/** Whether a file is called by an artifact; in names of OSGi bundles the group comes before it. */
function isCalled(name: ArchiveName, { group, artifact, version }: Coordinates): boolean {
  const names = [artifact, `${group}.${artifact}`].map(spelled);
  if ([name.artifact, name.stem].some((each) => names.includes(spelled(each)))) return true;
  return version !== "" && `${name.artifact}-${name.version}` === `${artifact}-${version}`;
}

/** Distributions write `error_prone_annotations` with hyphens. */
function spelled(name: string): string {
  return name.replace(/[_.]/g, "-");
}

/** Whether the manifest calls the archive a bundle whose name has nothing of an artifact: what was copied into it is not itself. */
function isOtherBundle(manifest: Manifest, { group, artifact }: Coordinates): boolean {
  const bundle = lettersOf(manifest.get("bundle-symbolicname") ?? "");
  return bundle !== "" && ![group, artifact].some((each) => bundle.includes(lettersOf(each)));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function withVersion({ group, artifact, version }: Told, { name, manifest }: Hints): ArchivePackage {
  const tellsVersion = name.version !== "" && name.stem !== artifact;
  const expected = tellsVersion ? name.version : versionIn(manifest);
  return { group, artifact, version: version === "" ? expected : version };
}
