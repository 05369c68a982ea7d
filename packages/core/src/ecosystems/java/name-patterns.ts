import { maxFolders } from "./archive-contents.ts";
import { type ArchiveName, splitJoinedName, splitNameInEar, topLevels } from "./archive-name.ts";
import type { Manifest } from "./manifest.ts";
import { isId } from "./pom-properties.ts";

/** The facts that an archive itself states. */
export interface PlainFacts {
  /** The path of the archive, in the layer or in the archive that contains it. */
  readonly path: string;
  readonly name: ArchiveName;
  readonly manifest: Manifest;
  /** The folders of its classes, `org/slf4j/event`. */
  classFolders(): ReadonlySet<string>;
}

/** Roots of classes that are looked at. An archive with more has copies of many artifacts. */
const maxRoots = 20;

/**
 * Patterns that match the name of an archive whose group is not known, whatever the group is: `:demo` for an artifact of any group; `com.acme:` for
 * any artifact that may have classes in that Java package; `com/acme/shop:` for an artifact whose names are in that folder of classes. Undefined where the archive may have copies of other artifacts, or where nothing is sure.
 *
 * The artifact alone is enough where the build wrote it: as the title in the manifest of a build of Spring Boot, or in `ARTIFACT-VERSION.jar` if no artifact
 * is named like its classes, since everybody can name a file so. An archive that was renamed may be any artifact of its classes. An application has its libraries beside its own classes (`BOOT-INF`, `WEB-INF`), so that its own may have several roots.
 */
export function namePatternsOf(facts: PlainFacts): readonly string[] | undefined {
  const { name, path } = facts;
  const ofEar = splitNameInEar(path, name.artifact).map(({ artifact }) => artifact);
  const mayHaveGroup = ofEar.length === 0 && splitJoinedName(name.artifact).length > 0;
  if (mayHaveGroup || !isId(name.artifact)) return undefined;
  const roots = rootsOf(facts);
  const isSpringBoot = facts.manifest.has("start-class") && facts.manifest.has("spring-boot-version");
  const isApplication = isSpringBoot || /\.(?:ear|war)$/i.test(path);
  if (roots === undefined || (roots.size > 1 && !isApplication)) return undefined;
  const title = facts.manifest.get("implementation-title") ?? "";
  const isTitled = /^[\w-]+$/.test(title) && (isSpringBoot || title.toLowerCase() === name.artifact.toLowerCase());
  const artifacts = [name.artifact, ...ofEar, ...(isTitled ? [title] : [])];
  const names = [...new Set(artifacts.map((each) => `:${each.toLowerCase()}`))];
  if (isSpringBoot && isTitled) return names;
  names.push(...[...roots.values()].map((folder) => `${folder}:`));
  if (name.version !== "" || isTitled) return names;
  const isOwn =
    isApplication ||
    (applicationName.test(name.artifact) && roots.size > 0) ||
    [...roots.keys()].some((root) => `${facts.manifest.get("main-class")}.`.startsWith(`${root}.`));
  return isOwn ? [...names, ...[...roots.keys()].map((root) => `${root}:`)] : undefined;
}

/** The names that builds and images give to an application: `lib/app.jar` of Gradle, `application.jar` of Micronaut. No library is renamed so. */
const applicationName = /^app(?:lication)?$/i;

/** Folders in which an application has its own classes, and those of classes for newer releases of Java. */
const ownClasses = /^(?:(?:BOOT|WEB)-INF\/classes|META-INF\/versions\/\d+)\//;
/** What a build of Spring Boot adds. */
const loader = /^org\/springframework\/boot\/loader(?:\/|$)/;
/** Hosts of code under whose names unrelated projects have their packages. */
const hosts = /^(?:com|io)\.(?:gitee|github|gitlab)\./;

/** Folders into which builds move copies of other artifacts. */
const copies = /(?:^|\/)(?:relocated|repackaged|shaded?|shadow|third_?party|vendor(?:ed)?)(?:\/|$)/i;

/** More roots of classes than this suggest no artifact. */
const maxSuggesting = 3;

/**
 * The artifacts that the folders of an archive's classes suggest, each a guess: `com.acme:shop` and classes in `com/acme/shop`, `org.h2:h2` and `org/h2`. An
 * archive that was renamed has kept them.
 */
export function artifactsOfClasses(
  facts: PlainFacts,
): readonly { readonly group: string; readonly artifact: string }[] {
  const roots = rootsOf(facts);
  if (roots === undefined || roots.size > maxSuggesting) return [];
  return [...roots.values()].flatMap((folder) => {
    const words = folder.split("/");
    const artifact = words.at(-1) ?? "";
    const group = (words.length > 2 ? words.slice(0, -1) : words).join(".");
    return words.length > 1 && topLevels.has(words[0] ?? "") ? [{ group, artifact }] : [];
  });
}

/**
 * The first words of the Java packages, `com.acme`, each with the deepest folder that has all its classes, `com/acme/shop`; undefined if there are too many, or
 * copies of other artifacts.
 */
function rootsOf({ classFolders, manifest }: PlainFacts): ReadonlyMap<string, string> | undefined {
  const roots = new Map<string, string>();
  const folders = classFolders();
  if (folders.size >= maxFolders) return undefined;
  for (const folder of folders) {
    if (copies.test(folder)) return undefined;
    if (loader.test(folder) && manifest.has("spring-boot-version")) continue;
    const own = `${folder}/`.replace(ownClasses, "").slice(0, -1);
    if (own === "") continue; // `META-INF/versions/9/module-info.class`
    const words = own.split("/");
    const root = words.slice(0, hosts.test(`${words.join(".")}.`) ? 3 : 2).join(".");
    roots.set(root, commonFolder(roots.get(root) ?? own, own));
    if (roots.size > maxRoots) return undefined;
  }
  return roots;
}

function commonFolder(one: string, other: string): string {
  const [words, others] = [one.split("/"), other.split("/")];
  const end = words.findIndex((word, at) => word !== others[at]);
  return end < 0 ? one : words.slice(0, end).join("/");
}

/**
 * Finds the names, of all in advisories, that one of the patterns of an archive may stand for.
 * @param names `GROUP:ARTIFACT`
 */
export function findMatchingNames(
  names: readonly string[],
): (patterns: readonly string[]) => readonly string[] | undefined {
  const byArtifact = Map.groupBy(names, (name) => name.slice(name.indexOf(":") + 1).toLowerCase());
  const split = names.map(splitName);
  const words = new Set(names.flatMap((name) => wordsIn(name.toLowerCase())));
  return (patterns) => {
    const places = patterns.filter((each) => each.endsWith(":")).map((each) => each.slice(0, -1).toLowerCase());
    const [folders, roots] = [
      places.filter((each) => each.includes("/")),
      places.filter((each) => !each.includes("/")),
    ];
    if (roots.some((root) => words.has(organizationIn(root)))) return undefined; // any artifact of the organization
    const named = patterns.flatMap((each) => byArtifact.get(each.slice(1).toLowerCase()) ?? []);
    const likeClasses = folders.flatMap((folder) => split.filter(isNamedLike(folder)).map(({ name }) => name));
    return [...new Set([...named, ...likeClasses])];
  };
}

/** The words of a name in advisories, and whether its group begins as those of organizations do. */
interface SplitName {
  readonly name: string;
  readonly group: readonly string[];
  readonly artifact: readonly string[];
  readonly hasTopLevel: boolean;
}

function splitName(name: string): SplitName {
  const [group = [], artifact = []] = name
    .toLowerCase()
    .split(":")
    .map((each) => each.split(/[._-]/));
  const hasTopLevel = topLevels.has(group[0] ?? "");
  return { name, group: hasTopLevel ? group.slice(1) : group, artifact, hasTopLevel };
}

/**
 * Makes the test whether an artifact may have the classes of a folder, by its name: all words of its group are in the path, and what follows them there begins
 * like a word of the artifact, if anything follows (`log4j:log4j` of `org/apache/log4j`, `org.springframework:spring-webmvc` of `org/springframework/web`; not
 * `com.acme:widget` of `com/acme/gadget`, since the group alone says little); or all words of the artifact are with that of who made the classes
 * (`com.h2database:h2` of `org/h2`).
 */
function isNamedLike(folder: string): (name: SplitName) => boolean {
  const path = folder.split("/");
  const words = new Set(path);
  const [first = "", maker = first] = path;
  return ({ group, artifact, hasTopLevel }) => {
    const isOfGroup = (!hasTopLevel || topLevels.has(first)) && group.every((word) => words.has(word));
    if (isOfGroup) {
      const below = path.slice(Math.max(...group.map((word) => path.lastIndexOf(word))) + 1);
      if (below.length === 0 || below.some((word) => artifact.some((own) => beginsLike(own, word)))) return true;
    }
    return artifact.includes(maker) && artifact.every((word) => words.has(word));
  };
}

function beginsLike(one: string, other: string): boolean {
  return one !== "" && other !== "" && (one.startsWith(other) || other.startsWith(one));
}

/** The words of a name; of one with hyphens, which a Java package cannot have, also the whole without them. */
function wordsIn(name: string): readonly string[] {
  return [...name.split(/[:._-]/), ...name.replaceAll("-", "").split(/[:.]/)];
}

/** The word of a Java package that names who made it: `acme` of `com.acme`. */
function organizationIn(root: string): string {
  return root.slice(root.lastIndexOf(".") + 1);
}
