import { organizations } from "../../model/organizations.ts";
import { splitJoinedName, splitNameInEar, topLevels } from "./archive-name.ts";
import { findKnownGroup } from "./known-groups.ts";
import { findLayoutCoordinates, placesOf } from "./layout-coordinates.ts";
import type { Manifest } from "./manifest.ts";
import { artifactsOfClasses, namePatternsOf, type PlainFacts } from "./name-patterns.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

/** The facts about an archive that Maven's folders do not describe. */
export interface ArchiveFacts extends PlainFacts {
  /** Groups that have published an artifact of this name, according to the index; none without an index. */
  groupsOf(artifact: string): readonly string[];
}

/** The coordinates of an archive. The group is empty if no fact states it, the version if two facts contradict each other. */
export interface DerivedCoordinates extends Coordinates {
  /** What other facts say that it is: `GROUP:ARTIFACT VERSION by the fact`. */
  readonly otherIdentities?: readonly string[];
  /** `GROUP:ARTIFACT` of artifacts that it may be, if the group is empty: each is a guess. */
  readonly candidates?: readonly string[];
  /** Patterns that match its name whatever the group is, if the group is empty and they are known: `:demo`, `com.acme:`. */
  readonly namePatterns?: readonly string[];
}

/**
 * The coordinates of an archive by manifest, path and classes. One statement about the group that others than Maven make is a guess:
 * `Implementation-Vendor-Id` is often the organization, and `Bundle-SymbolicName` can be split in several ways. Two that agree are a fact.
 */
export function deriveCoordinates(facts: ArchiveFacts): DerivedCoordinates {
  const { name, manifest, path } = facts;
  const { version, other } = versionOf(facts);
  const stated = ({ group, artifact }: Artifact): Pick<DerivedCoordinates, "version" | "otherIdentities"> => {
    if (other === undefined) return { version };
    const identities = [`${name.version} by the name of its file`, `${other} by its manifest`];
    return { version, otherIdentities: identities.map((each) => `${group}:${artifact} ${each}`) };
  };
  const certain = jenkinsPlugin(manifest) ?? partOfTomcat(facts) ?? findLayoutCoordinates(path);
  if (certain !== undefined) return certain;
  const placed = confirmedPlace(facts);
  if (placed !== undefined) return placed;
  const known = knownArtifact(facts) ?? joinedArtifact(facts) ?? agreedArtifact(facts);
  if (known !== undefined) return { ...known, ...stated(known) };
  const candidates = [...new Set(guesses(facts).map(({ group, artifact }) => `${group}:${artifact}`))];
  const own = { group: "", artifact: name.artifact };
  return {
    ...own,
    ...stated(own),
    candidates: candidates.length > 0 ? candidates : undefined,
    namePatterns: namePatternsOf(facts),
  };
}

/** The version in a manifest; empty if there is none. */
export function versionIn(manifest: Manifest): string {
  return versionsIn(manifest)[0] ?? "";
}

function versionsIn(manifest: Manifest): readonly string[] {
  const words = ["implementation-version", "bundle-version"].map((name) => firstWord(manifest.get(name)));
  return words.filter((word) => /^v?\d/i.test(word) && isVersion(word));
}

/**
 * The version that the name of a file and the manifest state. A number without dots is that of the manifest with the same digits: `bcprov-jdk15on-160.jar`
 * has 1.60. Where they contradict each other, neither is sure: the version is empty, and `other` is that of the manifest.
 */
function versionOf({ name, manifest }: ArchiveFacts): { readonly version: string; readonly other?: string } {
  const [first, ...others] = versionsIn(manifest);
  if (name.version === "" || first === undefined) return { version: name.version || (first ?? "") };
  const all = [first, ...others];
  if (all.some((each) => mayBeSame(name.version, each))) return { version: name.version };
  const dotted = all.map((each) => withDigits(name.version, each)).find((each) => each !== undefined);
  return dotted === undefined ? { version: "", other: first } : { version: dotted };
}

/** Whether the numbers of one version begin with those of the other, zeros at the end left out: a manifest may have fewer, or those of the build. */
function mayBeSame(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  return left.slice(0, right.length).every((each, at) => each === right[at]);
}

/** The numbers at the beginning, without zeros at their end. */
function numbersOf(version: string): readonly number[] {
  const numbers = (/\d+(?:[._]\d+)*/.exec(version)?.[0] ?? "").split(/[._]/).map(Number);
  return numbers.slice(0, numbers.findLastIndex((each) => each !== 0) + 1);
}

/** The first numbers of a version that have these digits: `1.60` of `1.60.0` for `160`. */
function withDigits(digits: string, version: string): string | undefined {
  const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0].split(".") ?? [];
  const count = numbers.findIndex((_, at) => numbers.slice(0, at + 1).join("") === digits) + 1;
  return count === 0 ? undefined : numbers.slice(0, count).join(".");
}

/** @see https://jenkinsci.github.io/maven-hpi-plugin/ */
function jenkinsPlugin(manifest: Manifest): Coordinates | undefined {
  const group = manifest.get("group-id") ?? "";
  const artifact = manifest.get("short-name") ?? manifest.get("extension-name") ?? "";
  const version = firstWord(manifest.get("plugin-version"));
  return isId(group) && isId(artifact) && isVersion(version) ? { group, artifact, version } : undefined;
}

/** The artifacts of archives of Tomcat whose names do not follow from those of the archives; `bootstrap` has no artifact, but advisories name the whole. */
const tomcatArtifacts: ReadonlyMap<string, string> = new Map([
  ["bootstrap", "tomcat"],
  ["catalina-ssi", "tomcat-ssi"],
  ["catalina-storeconfig", "tomcat-storeconfig"],
  ["catalina-tribes", "tomcat-tribes"],
  ["tomcat-juli", "tomcat-juli"],
]);

/**
 * An archive of a distribution of Tomcat, by what its build writes into each manifest. Archives of interfaces have the version of the specification, not that
 * of Tomcat.
 * @see https://github.com/apache/tomcat/tree/main/res/META-INF
 */
function partOfTomcat({ name, manifest }: ArchiveFacts): Coordinates | undefined {
  const artifact = name.artifact.replace(/^org\.apache\.tomcat(?:\.embed)?[.-]/, ""); // Quarkus and EARs have the group in the name
  const title = manifest.get("implementation-title") ?? "";
  const isBuilt = manifest.has("x-compile-target-jdk") && manifest.get("implementation-vendor") === foundation;
  const isWhole = /^Apache Tomcat(?: Bootstrap)?$/.test(title);
  if (!(isWhole || isBuilt) || !isId(artifact)) return undefined;
  const published = tomcatArtifacts.get(artifact) ?? (artifact.startsWith("tomcat-") ? artifact : `tomcat-${artifact}`);
  const group = published.startsWith("tomcat-embed-") ? "org.apache.tomcat.embed" : "org.apache.tomcat";
  return { group, artifact: published, version: isWhole ? versionIn(manifest) : "" };
}

const foundation = "Apache Software Foundation";

/**
 * The coordinates by the folders above an archive, whatever the folder is named in which those of groups are, if manifest or classes confirm exactly one group. A
 * known artifact confirms its own group only.
 */
function confirmedPlace(facts: ArchiveFacts): Coordinates | undefined {
  const known = knownArtifact(facts);
  const confirmed = placesOf(facts.path).filter(({ group }) =>
    known === undefined ? isGroup(group) && isConfirmed(group, facts) : group === known.group,
  );
  return confirmed.length === 1 ? confirmed[0] : undefined;
}

/** Of the groups that the folders above an archive may name, the likely one: from a folder that begins most groups. */
function likelyPlaces(path: string): readonly Artifact[] {
  const begins = ({ group }: Artifact) => topLevels.has(group.split(".", 1)[0] ?? "");
  return placesOf(path).filter(begins).slice(-1);
}

type Artifact = Pick<Coordinates, "group" | "artifact">;

/** The known artifact of its classes; of `GROUP.ARTIFACT` only if the group is that of the known artifact. */
function knownArtifact(facts: ArchiveFacts): Artifact | undefined {
  const { name } = facts;
  const own = findKnownGroup(name);
  if (own !== undefined && hasClasses(facts, own.classes)) return own;
  for (const { group, artifact } of splitNames(facts)) {
    const known = findKnownGroup({ ...name, artifact });
    if (known?.group === group && hasClasses(facts, known.classes)) return { group, artifact };
  }
  return undefined;
}

/** The ways in which the file's name may be that of group and artifact. */
function splitNames({ name: { artifact }, path }: ArchiveFacts): readonly Artifact[] {
  return [...splitJoinedName(artifact), ...splitNameInEar(path, artifact)];
}

/** The folders in which Quarkus names every archive `GROUP.ARTIFACT-VERSION.jar`. */
const quarkusFolders = /(?:^|\/)lib\/(?:boot|main)\/[^/]+$/;

/**
 * The only way to split a name of Quarkus that the archive confirms, or one of an EAR with which the manifest agrees; or one in which the artifact repeats the
 * group: `commons-cli.commons-cli`.
 */
function joinedArtifact(facts: ArchiveFacts): Artifact | undefined {
  const { path, name, manifest } = facts;
  const isOfQuarkus = quarkusFolders.test(path);
  const splits = isOfQuarkus ? splitJoinedName(name.artifact) : splitNameInEar(path, name.artifact);
  const repeated = splits.find(({ group }) => !group.includes("."));
  if (repeated !== undefined) return repeated;
  const confirmed = splits.filter(({ group, artifact }) =>
    isOfQuarkus
      ? isConfirmed(group, facts)
      : vendorGroup(manifest) === group || bundleGroups(manifest, artifact).includes(group),
  );
  return confirmed.length === 1 ? confirmed[0] : builtBySbt(facts);
}

/**
 * The parts of `GROUP.ARTIFACT`, as sbt's packager names archives, if sbt wrote the group and the name of the artifact, which its own adds the version of Scala to, into
 * the manifest.
 * @see https://sbt-native-packager.readthedocs.io/en/stable/archetypes/java_app/
 */
function builtBySbt({ name, manifest }: ArchiveFacts): Artifact | undefined {
  const vendor = vendorGroup(manifest);
  const title = (manifest.get("implementation-title") ?? "").toLowerCase().replaceAll(" ", "-");
  return splitJoinedName(name.artifact).find(
    ({ group, artifact }) =>
      group === vendor && (artifact.toLowerCase() === title || artifact.toLowerCase().startsWith(`${title}_`)),
  );
}

const namingAttributes = [
  "automatic-module-name",
  "bundle-symbolicname",
  "implementation-title",
  "implementation-vendor-id",
  "specification-title",
];

/** Whether a name in the manifest, or a folder of classes, is the group or begins with it. */
function isConfirmed(group: string, facts: ArchiveFacts): boolean {
  const begin = `${simplified(group)}.`;
  const names = namingAttributes.map((attribute) => (facts.manifest.get(attribute) ?? "").split(";", 1)[0] ?? "");
  return (
    names.some((name) => `${simplified(name.trim())}.`.startsWith(begin)) ||
    [...facts.classFolders()].some((folder) => `${simplified(folder.replaceAll("/", "."))}.`.startsWith(begin))
  );
}

/** The name as a Java package would be named, which cannot have a hyphen. */
function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** The artifact whose group two statements agree on. */
function agreedArtifact(facts: ArchiveFacts): Artifact | undefined {
  const { artifact } = facts.name;
  const vendor = vendorGroup(facts.manifest);
  const bundle = bundleGroups(facts.manifest, artifact);
  const agreed = bundle.find((group) => group === vendor);
  if (agreed !== undefined) return { group: agreed, artifact };
  const [only, ...others] = bundle;
  const isPlain = only !== undefined && others.length === 0 && only.split(".").length > 2;
  const isOfClasses = isPlain && artifact.includes("-") && hasClasses(facts, `${only.replaceAll(".", "/")}/`);
  return isOfClasses ? { group: only, artifact } : undefined;
}

function guesses(facts: ArchiveFacts): readonly Artifact[] {
  const { manifest, name } = facts;
  const { artifact } = name;
  const vendor = vendorGroup(manifest);
  const stated = [...bundleGroups(manifest, artifact), ...(vendor === undefined ? [] : [vendor])];
  const groups = [...stated, ...facts.groupsOf(artifact)];
  const ofGroups = groups.map((group) => ({ group, artifact }));
  return [...splitNames(facts), ...likelyPlaces(facts.path), ...ofGroups, ...artifactsOfClasses(facts)].filter(
    isNameable,
  );
}

function isNameable({ group, artifact }: Artifact): boolean {
  return isId(group) && isId(artifact);
}

function vendorGroup(manifest: Manifest): string | undefined {
  const vendor = manifest.get("implementation-vendor-id") ?? "";
  return isGroup(vendor) ? vendor : undefined;
}

/**
 * The groups from which Maven's bundle plug-in makes this `Bundle-SymbolicName`: of group and artifact, or of the group alone if it ends with
 * the artifact. A word at the end of the group that the artifact repeats occurs once: `org.apache.commons` and `commons-lang3` make
 * `org.apache.commons.lang3`; a group `org.apache.commons.lang3` would make the same.
 * @see https://felix.apache.org/documentation/subprojects/apache-felix-maven-bundle-plugin-bnd.html
 */
function bundleGroups(manifest: Manifest, artifact: string): readonly string[] {
  const [name = ""] = (manifest.get("bundle-symbolicname") ?? "").split(";", 1);
  const bundle = name.trim();
  const parent = bundle.slice(0, Math.max(0, bundle.lastIndexOf(".")));
  const last = bundle.slice(parent.length + 1);
  const repeated = parent.slice(parent.lastIndexOf(".") + 1);
  if (last === artifact) return (artifact.includes("-") ? [parent] : [parent, bundle]).filter(isGroup);
  return `${repeated}-${last}` === artifact ? [parent, bundle].filter(isGroup) : [];
}

function isGroup(text: string): boolean {
  return isId(text) && /^[a-z][\w-]*(?:\.[\w-]+)+$/i.test(text) && !organizations.has(text);
}

function hasClasses({ classFolders }: ArchiveFacts, folder: string): boolean {
  return [...classFolders()].some((each) => `${each}/`.startsWith(folder));
}

function firstWord(text = ""): string {
  return text.split(" ", 1)[0] ?? "";
}
