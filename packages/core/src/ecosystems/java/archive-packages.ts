import type { ArchiveName } from "./archive-name.ts";
import { guessCoordinates, type Hints, versionIn } from "./guess.ts";
import type { Manifest } from "./manifest.ts";
import type { Coordinates } from "./pom-properties.ts";

/** The coordinates of an artifact, and the path of its description in the archive. */
export interface DescribedArtifact extends Coordinates {
  readonly path: string;
}

/** A package of an archive. */
export interface ArchivePackage extends Coordinates {
  /** The path of its description, for a package that was copied into the archive. */
  readonly path?: string;
}

/**
 * The packages of an archive: its own, and those that were copied into it. Its own package is the one that it is named after. If there is no
 * such package, its own is guessed. It is not guessed if several are described and its name has no version: then it is one of them.
 */
export function packagesOf(described: readonly DescribedArtifact[], hints: Hints): readonly ArchivePackage[] {
  const own = findOwn(described, hints);
  const packages: ArchivePackage[] = described.filter((each) => each !== own);
  if (own !== undefined) return [withVersion(own, hints), ...packages];
  const isOneOfThem = described.length > 1 && hints.name.version === "";
  return isOneOfThem ? packages : [guessCoordinates(hints), ...packages];
}

function findOwn(described: readonly DescribedArtifact[], { name, manifest }: Hints): DescribedArtifact | undefined {
  const named = described.find((each) => isNamedAfter(name, each));
  const [first, ...others] = described;
  if (named !== undefined || first === undefined || others.length > 0) return named;
  const isItsVersion = name.version === "" || name.version === first.version;
  return isItsVersion && !isOtherBundle(manifest, first) ? first : undefined;
}

/** Whether a file is named after an artifact. Names of OSGi bundles have the group before the artifact. */
function isNamedAfter(name: ArchiveName, { group, artifact, version }: Coordinates): boolean {
  const names = [artifact, `${group}.${artifact}`].map(normalizeName);
  if ([name.artifact, name.stem].some((each) => names.includes(normalizeName(each)))) return true;
  return version !== "" && `${name.artifact}-${name.version}` === `${artifact}-${version}`;
}

/** The name with hyphens, as distributions write `error_prone_annotations`. */
function normalizeName(name: string): string {
  return name.replace(/[_.]/g, "-");
}

/** Whether the archive is a bundle whose name contains neither group nor artifact: then the artifact was copied into it. */
function isOtherBundle(manifest: Manifest, { group, artifact }: Coordinates): boolean {
  const bundle = lettersOf(manifest.get("bundle-symbolicname") ?? "");
  return bundle !== "" && ![group, artifact].some((each) => bundle.includes(lettersOf(each)));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function withVersion({ group, artifact, version }: DescribedArtifact, { name, manifest }: Hints): ArchivePackage {
  const hasVersion = name.version !== "" && name.stem !== artifact;
  const expected = hasVersion ? name.version : versionIn(manifest);
  return { group, artifact, version: version === "" ? expected : version };
}
