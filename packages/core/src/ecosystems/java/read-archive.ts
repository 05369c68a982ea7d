import { ScanError } from "../../errors.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { JavaCoordinates } from "../../plugins/lookups.ts";
import { overLimit } from "../../zip/archive-budget.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import { type Proof, provenPackage } from "../language/proof.ts";
import {
  type Archive,
  type ArchiveContents,
  listClassDigests,
  listClassFolders,
  listContents,
  zipFileOf,
} from "./archive-contents.ts";
import { parseArchiveName } from "./archive-name.ts";
import { type ArchivePackage, type DescribedArtifact, type IdentifiedArchive, packagesOf } from "./archive-packages.ts";
import { findCopied } from "./copied-classes.ts";
import { applications, declaredIn } from "./declared-archives.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { manifestDetails, modelFinding, pomDetails } from "./pom-details.ts";
import { type Coordinates, findPathCoordinates, parsePomProperties } from "./pom-properties.ts";
import { coordinatesOf, maxPomXmlBytes, type PomModel, parsePomXml, readPomModel } from "./pom-xml.ts";

/**
 * Finds the packages of an archive. A damaged part becomes a problem, and the other parts are read. Nested archives are files of their own.
 * @throws ScanError `memory_limit`; `malformed_archive` if the archive itself is damaged
 */
export function* readArchive(archive: Archive): Iterable<Finding> {
  const contents = listContents(archive);
  const descriptions = readDescriptions(archive, contents);
  const packages = packagesOf(identified(archive, descriptions));
  const isApplication = applications.test(archive.path) || descriptions.manifest.has("start-class");
  const models = archive.details || isApplication ? descriptions.models() : [];
  yield* descriptions.problems;
  if (contents.namesDependencies || isThin(descriptions))
    yield { kind: "evidence", path: archive.path, packages: "java", pieces: 1 };
  for (const found of packages) {
    const details = archive.details ? detailsOf(found, models, descriptions) : undefined;
    yield provenPackage(archive, { ...proofOf(found), details });
  }
  const own = isApplication ? models.find((each) => isOf(each, packages[0])) : undefined;
  const declared = own && declaredIn(archive.path, own.model);
  if (declared !== undefined) yield declared;
  for (const { model } of archive.details ? models : []) {
    const finding = modelFinding(archive.path, model);
    if (finding !== undefined) yield finding;
  }
}

/**
 * Whether an archive starts an application of Spring Boot that does not contain its dependencies: they are fetched when it starts.
 * @see https://github.com/spring-projects-experimental/spring-boot-thin-launcher
 */
function isThin({ manifest }: Descriptions): boolean {
  return (manifest.get("main-class") ?? "").endsWith(".ThinJarWrapper");
}

function isOf(model: Coordinates, found: Coordinates | undefined): boolean {
  return model.group === found?.group && model.artifact === found.artifact;
}

/** What the model of an artifact says. About the archive itself, the manifest may say what the model inherits from others: the build knew them. */
function detailsOf(
  found: ArchivePackage,
  models: readonly DescribedModel[],
  { manifest }: Descriptions,
): PackageDetails | undefined {
  const own = models.find((each) => isOf(each, found));
  const ofModel = own && packageDetails(pomDetails(own.model));
  if (found.path !== undefined) return ofModel;
  const ofManifest = packageDetails(manifestDetails(manifest)) ?? {};
  const recommends = [...(ofModel?.recommends ?? []), ...(ofManifest.recommends ?? [])];
  return { ...ofManifest, ...ofModel, recommends };
}

/** The facts about an archive. What takes another look at its bytes is found when it is asked for; a damaged index is a problem. */
function identified(archive: Archive, { described, manifest, problems }: Descriptions): IdentifiedArchive {
  const { path, isPart } = archive;
  let folders: ReadonlySet<string> | undefined;
  const lookUp = <T>(find: (published: JavaCoordinates) => readonly T[]): readonly T[] => {
    try {
      return archive.published === undefined ? [] : find(archive.published);
    } catch (error) {
      problems.push(problemOf(path, error));
      return [];
    }
  };
  return {
    path,
    name: parseArchiveName(path),
    isPart,
    described,
    manifest,
    classFolders() {
      folders ??= listClassFolders(archive);
      return folders;
    },
    published: () => lookUp((java) => java.ofArchive(archive.bytes)),
    groupsOf: (artifact) => lookUp((java) => java.groupsOf(artifact)),
    copied: () =>
      lookUp(({ ofClasses }) => (ofClasses === undefined ? [] : findCopied(listClassDigests(archive), ofClasses))),
  };
}

interface Descriptions {
  readonly described: readonly DescribedArtifact[];
  readonly manifest: Manifest;
  readonly problems: Finding[];
  /** The models, which are read only for details. */
  models(): readonly DescribedModel[];
}

/** A model in the archive, and the artifact that it is of. */
interface DescribedModel extends Coordinates {
  readonly model: PomModel;
}

/** Archives into which more were copied are no libraries, and their models would cost much of what may be read. */
const maxModels = 1000;

/** The models in Maven's folders. One that cannot be read says nothing: its artifact is known by its folder. */
function modelsIn(archive: Archive, poms: readonly ZipEntry[]): readonly DescribedModel[] {
  const file = zipFileOf(archive);
  const found = poms.filter((entry) => !isProperties({ path: entry.name }) && entry.sizeBytes <= maxPomXmlBytes);
  return found.slice(0, maxModels).flatMap((entry) => {
    const ofPath = findPathCoordinates(entry.name);
    archive.budget.countPart(entry.sizeBytes);
    const model = ifReadable(() => readPomModel(archive.zip.read(file, entry, maxPomXmlBytes), entry.name));
    return ofPath === undefined || model === undefined ? [] : [{ ...coordinatesOf(model, ofPath), model }];
  });
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScanError && error.code !== overLimit) return undefined;
    throw error;
  }
}

function readDescriptions(archive: Archive, contents: ArchiveContents): Descriptions {
  const problems: Finding[] = [];
  const file = zipFileOf(archive);
  const read: ReadEntry = (entry, { maxBytes, parse, otherwise }) => {
    archive.budget.countPart(entry.sizeBytes);
    try {
      return parse(archive.zip.read(file, entry, maxBytes));
    } catch (error) {
      problems.push(problemOf(archive.path, error));
      return otherwise;
    }
  };
  const none = parseManifest(new Uint8Array());
  const asManifest = { maxBytes: maxDescriptionBytes, parse: parseManifest, otherwise: none };
  const manifest = contents.manifest === undefined ? none : read(contents.manifest, asManifest);
  return {
    described: readMavenFolders(file.location, contents.poms, read),
    manifest,
    problems,
    models: () => modelsIn(archive, contents.poms),
  };
}

function proofOf({ group, artifact, version, path, ...rest }: ArchivePackage): Proof {
  const { candidates, namePatterns, otherIdentities } = rest;
  return {
    name: group === "" ? artifact : `${group}:${artifact}`,
    version,
    candidates,
    namePatterns,
    otherIdentities,
    within: path,
  };
}

/** The problem of a part that cannot be read. An exceeded limit is thrown again, because it ends the whole archive. */
function problemOf(path: string, error: unknown): Finding {
  if (!(error instanceof ScanError) || error.code === overLimit) throw error;
  return { kind: "problem", path, code: error.code, message: error.message };
}

/** The largest description that is read. Signed archives have manifests of several megabytes. */
const maxDescriptionBytes = 16 * 1024 ** 2;

/** The parser of an entry, and the value if reading fails. */
interface EntryReading<T> {
  readonly maxBytes: number;
  parse(bytes: Uint8Array): T;
  readonly otherwise: T;
}

/** Reads an entry. An error becomes a problem, and the result is `otherwise`. */
type ReadEntry = <T>(entry: ZipEntry, how: EntryReading<T>) => T;

/**
 * Reads Maven's folders of an archive, one artifact for each: from `pom.properties`, or from `pom.xml` if that is missing. A `pom.xml` is left
 * out if `pom.properties` in another folder describes the same artifact, unless the versions differ.
 * @param location of the archive, for messages
 */
function readMavenFolders(location: string, poms: readonly ZipEntry[], read: ReadEntry): readonly DescribedArtifact[] {
  const byFolder = new Map<string, ZipEntry>();
  for (const entry of poms) {
    const folder = entry.name.slice(0, entry.name.lastIndexOf("/"));
    if (isProperties({ path: entry.name }) || !byFolder.has(folder)) byFolder.set(folder, entry);
  }
  const described = [...byFolder.values()].map((entry) => readPom(location, entry, read));
  const fromProperties = described.filter(isProperties);
  const known = new Set(fromProperties.flatMap((each) => [keyOf(each), keyOf({ ...each, version: "" })]));
  return [...fromProperties, ...described.filter((each) => !isProperties(each) && !known.has(keyOf(each)))];
}

function readPom(location: string, entry: ZipEntry, read: ReadEntry): DescribedArtifact {
  const { name: path } = entry;
  const ofPath = findPathCoordinates(path) ?? { group: "", artifact: "", version: "" };
  const coordinates = read(
    entry,
    isProperties({ path })
      ? { maxBytes: maxDescriptionBytes, parse: (bytes) => parsePomProperties(bytes, ofPath), otherwise: ofPath }
      : {
          maxBytes: maxPomXmlBytes,
          parse: (bytes) => parsePomXml(bytes, ofPath, `${location}: ${path}`),
          otherwise: ofPath,
        },
  );
  return { ...coordinates, path };
}

function isProperties({ path }: Pick<DescribedArtifact, "path">): boolean {
  return path.endsWith(".properties");
}

function keyOf({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact}:${version}`;
}
