import type { PublishedArtifact } from "../../plugins/lookups.ts";
import type { ArchiveName } from "./archive-name.ts";
import type { CopiedArtifact } from "./copied-classes.ts";
import { type ArchiveFacts, type DerivedCoordinates, deriveCoordinates, versionIn } from "./derive-coordinates.ts";
import type { Manifest } from "./manifest.ts";
import { type Coordinates, isVersion } from "./pom-properties.ts";

/** The coordinates of an artifact, and the path of its description in the archive. */
export interface DescribedArtifact extends Coordinates {
  readonly path: string;
}

/** A package of an archive. */
export interface ArchivePackage extends DerivedCoordinates {
  /** The path of its description, for a package that was copied into the archive. */
  readonly path?: string;
}

/** An archive of which the packages are wanted. */
export interface IdentifiedArchive extends ArchiveFacts {
  readonly described: readonly DescribedArtifact[];
  /** Whether it is a part of the archive around it, and no package of its own. */
  readonly isPart: boolean;
  /** The artifacts that are published with its bytes, according to the index; none without an index. */
  published(): readonly PublishedArtifact[];
  /** The artifacts whose classes it has, according to the index; none without such an index. */
  copied(): readonly CopiedArtifact[];
}

/**
 * The packages of an archive: its own, and those that were copied into it. Its own package is, in this order, the described one that it is
 * named after, the one that is published with its bytes, the only described one, or the one that other facts show. Others are not looked
 * at if several are described and its name has no version: then it is one of them. An archive without a group that has the classes of an
 * artifact of its name is that artifact.
 */
export function packagesOf(archive: IdentifiedArchive): readonly ArchivePackage[] {
  const packages = [...ownAndDescribed(archive), ...loaderIn(archive)];
  const [own] = packages;
  const nameOf = ({ group, artifact }: Coordinates) => `${group}:${artifact}`;
  const known = new Set(packages.map(nameOf));
  const copied = archive.copied().filter((each) => !known.has(nameOf(each)));
  const same = own?.group === "" ? copied.find(({ artifact }) => artifact === own.artifact) : undefined;
  if (same === undefined) return [...packages, ...copied];
  const { path: _, ...identified } = same; // the archive was built from the same classes
  return [identified, ...packages.slice(1), ...copied.filter((each) => each !== same)];
}

function ownAndDescribed(archive: IdentifiedArchive): readonly ArchivePackage[] {
  const { described, name } = archive;
  const named = described.find((each) => isNamedAfter(name, each));
  if (named !== undefined) return [ownOf(named, archive), ...described.filter((each) => each !== named)];
  const published = archive.published();
  if (published.length > 0) return withPublished(published, archive);
  const only = findOnly(archive);
  if (only !== undefined) return [withVersion(only, archive)];
  const isOneOfThem = described.length > 1 && name.version === "";
  return isOneOfThem || archive.isPart || isOutputOfQuarkus(archive) || isOfJavaRuntime(archive)
    ? described
    : [deriveCoordinates(archive), ...described];
}

/** The described artifact that the archive is named after. Where the name has another version, the index decides, if it has the bytes. */
function ownOf(named: DescribedArtifact, archive: IdentifiedArchive): ArchivePackage {
  const own = withVersion(named, archive);
  const { version } = archive.name;
  if (version === "" || sameVersion(version, own.version)) return own;
  const byName = `${named.group}:${named.artifact} ${version} by the name of its file`;
  const [published] = archive.published();
  if (published === undefined) return { ...own, otherIdentities: [byName] };
  return { ...published, otherIdentities: sameArtifact(published, own) ? [byName] : [byDescription(own)] };
}

/** Whether a version in a file's name is that of the description: of a snapshot, the name may have the time of its build. */
function sameVersion(ofName: string, version: string): boolean {
  const base = version.replace(/-SNAPSHOT$/, "");
  return (
    ofName === version ||
    (base !== version && ofName.startsWith(base)) ||
    normalizeName(ofName).startsWith(normalizeName(version))
  );
}

function sameArtifact(a: Coordinates, b: Coordinates): boolean {
  return a.group === b.group && a.artifact === b.artifact && a.version === b.version;
}

function byDescription({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact} ${version} by its description`;
}

/**
 * Whether an archive has what a build of Quarkus makes of the application and its dependencies: generated and changed classes, and the list of
 * archives to start. It was not published, and has no package of its own.
 */
function isOutputOfQuarkus({ path, manifest }: IdentifiedArchive): boolean {
  if (/(?:^|\/)quarkus\/(?:generated|transformed)-bytecode\.jar$/.test(path)) return true;
  return (manifest.get("main-class") ?? "").startsWith("io.quarkus.bootstrap.runner.");
}

/**
 * Whether an archive is a part of a Java runtime, such as `jrt-fs.jar` and `rt.jar`: they are published nowhere, and advisories are about the
 * runtime, which has a package of its own.
 */
function isOfJavaRuntime({ manifest, ...archive }: IdentifiedArchive): boolean {
  if (manifest.get("implementation-title") !== "Java Runtime Environment") return false;
  if (manifest.get("specification-title") === "Java Platform API Specification") return true;
  const folders = [...archive.classFolders()];
  return folders.length > 0 && folders.every((folder) => folder.startsWith("jdk/internal/"));
}

const loaderClasses = "org/springframework/boot/loader";

/**
 * The loader that a build of Spring Boot copies into an executable archive. Since 3.2 there are two; the classes of the newer are in `launch`.
 * @see https://docs.spring.io/spring-boot/specification/executable-jar/index.html
 */
function loaderIn(archive: IdentifiedArchive): readonly ArchivePackage[] {
  const version = archive.manifest.get("spring-boot-version") ?? "";
  if (!isVersion(version)) return [];
  const folders = archive.classFolders();
  if (![...folders].some((folder) => `${folder}/`.startsWith(`${loaderClasses}/`))) return [];
  const isClassic = !folders.has(`${loaderClasses}/launch`) && !/^(?:[12]\.|3\.[01]\.)/.test(version);
  const artifact = isClassic ? "spring-boot-loader-classic" : "spring-boot-loader";
  return [{ group: "org.springframework.boot", artifact, version, path: loaderClasses }];
}

/** The published artifacts, and what is described besides. */
function withPublished(published: readonly PublishedArtifact[], archive: IdentifiedArchive): readonly ArchivePackage[] {
  const isOwn = (each: DescribedArtifact) =>
    published.some(({ group, artifact }) => group === each.group && artifact === each.artifact);
  const only = findOnly(archive);
  const others = only === undefined || published.some((each) => sameArtifact(each, only)) ? [] : [byDescription(only)];
  const own = published.map((each) => (others.length === 0 ? each : { ...each, otherIdentities: others }));
  return [...own, ...archive.described.filter((each) => !isOwn(each) && each !== only)];
}

function findOnly({ described, name, manifest }: IdentifiedArchive): DescribedArtifact | undefined {
  const [only, ...others] = described;
  if (only === undefined || others.length > 0) return undefined;
  const isItsVersion = name.version === "" || name.version === only.version || isBuildOf(only.version, name);
  return isItsVersion && !isOtherBundle(manifest, only) ? only : undefined;
}

/**
 * Whether a bundle, `SYMBOLIC-NAME_VERSION.QUALIFIER.jar`, is a build of a version: its numbers are those of the version, and the qualifier tells the build.
 * @see https://docs.osgi.org/specification/osgi.core/8.0.0/framework.module.html#framework.module.version
 */
function isBuildOf(version: string, { stem, artifact, version: ofName }: ArchiveName): boolean {
  const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0].split(".") ?? [];
  if (numbers.length === 0 || numbers.length > 3 || stem !== `${artifact}_${ofName}`) return false;
  const ofBundle = /^\d+\.\d+\.\d+(?=\.\D|$)/.exec(ofName)?.[0];
  return [...numbers, "0", "0"].slice(0, 3).join(".") === ofBundle;
}

/** Whether a file is named after an artifact: the artifact, perhaps with the group before and with version and classifier after. */
function isNamedAfter(name: ArchiveName, { group, artifact, version }: Coordinates): boolean {
  const names = [artifact, `${group}.${artifact}`].map(normalizeName);
  if ([name.artifact, name.stem].some((each) => names.includes(normalizeName(each)))) return true;
  const whole = `${normalizeName(name.stem)}-`;
  return version !== "" && names.some((each) => whole.startsWith(`${each}-${normalizeName(version)}-`));
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

/** A version of the file's name counts on from that of the description: the build added `.jre11` to the published version. */
function withVersion(
  { group, artifact, version }: DescribedArtifact,
  { name, manifest }: IdentifiedArchive,
): ArchivePackage {
  const isOther = !name.version.startsWith(`${version}.`) || isBuildOf(version, name);
  if (version !== "" && isOther) return { group, artifact, version };
  const hasVersion = name.version !== "" && name.stem !== artifact;
  return { group, artifact, version: hasVersion ? name.version : version === "" ? versionIn(manifest) : version };
}
