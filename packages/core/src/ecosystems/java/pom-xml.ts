/**
 * `META-INF/maven/GROUP/ARTIFACT/pom.xml`, the model of an artifact. These parts are read:
 *
 * ```
 * project = groupId? artifactId version? parent? properties?      an absent groupId or version is that of parent
 *           name? description? url? organization? scm? licenses? developers? dependencies? dependencyManagement?
 * parent  = groupId artifactId version
 * value   = {text | "${" name "}"}                                name of a property, or a path: project.version, project.parent.version
 * ```
 * A value may come from the file of the parent or from the command line of the build. Such a value is unknown here.
 * @see https://maven.apache.org/ref/current/maven-model/maven.html
 */
import { SaxesParser } from "saxes";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { ScanError } from "../../errors.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

/** Ten times the size of the largest published one. */
export const maxPomXmlBytes = 4 * 1024 ** 2;
const maxDepth = 100;
const maxProperties = 10_000;
const maxEntries = 10_000;
/** Longer values cannot be part of coordinates. */
const maxValueCharacters = 1000;
/** The nesting of properties in values of properties. Also ends references in a circle. */
const maxRounds = 16;

const reference = /\$\{([^${}]{1,200})\}/g;
const decoder = new TextDecoder();
const latin1 = new TextDecoder("latin1");

/** What a model states, as written: values may have references. */
export interface PomModel {
  /** The values by their paths, `project.version`, and properties by their names: `property:NAME`. */
  readonly values: ReadonlyMap<string, string>;
  /** The entries of a list, such as `dependencies/dependency`, each with the values of its members. */
  list(name: PomList): readonly PomEntry[];
}

/** An entry of a list of a model. */
export type PomEntry = ReadonlyMap<string, string>;

type PomList = (typeof lists)[number];

/** The name of the value with what a dependency excludes: `GROUP:ARTIFACT`, with blanks between them. No element has it. */
export const excludedBy = "exclusions/exclusion";

const lists = [
  "licenses/license",
  "developers/developer",
  "dependencies/dependency",
  "dependencyManagement/dependencies/dependency",
] as const;

/** The names of these members are those of the values: `scm/url` is `project.scm.url`. */
const texts: ReadonlySet<string> = new Set(
  (
    "groupId artifactId version parent/groupId parent/artifactId parent/version " +
    "name description url organization/name scm/url"
  ).split(" "),
);

/**
 * Parses the coordinates of a model. Without valid ids in the model, the ids of its path are used. The version is empty if it is unknown.
 * @param place of the file, for messages
 * @throws ScanError `malformed_package_db` if it is not XML, has a document type declaration or is nested too deep
 */
export function parsePomXml(bytes: Uint8Array, ofPath: Coordinates, place: string): Coordinates {
  return coordinatesOf(readPomModel(bytes, place), ofPath);
}

/** The coordinates of a model, as {@link parsePomXml}. */
export function coordinatesOf({ values }: PomModel, ofPath: Coordinates): Coordinates {
  const [group, artifact, version] = ["groupId", "artifactId", "version"].map((name) =>
    resolve(ofProject(name, values) ?? "", values),
  ) as [string, string, string];
  const ids = isId(group) && isId(artifact) ? { group, artifact } : ofPath;
  return { group: ids.group, artifact: ids.artifact, version: isVersion(version) ? version : "" };
}

/** Reads a model. @throws ScanError as {@link parsePomXml} */
export function readPomModel(bytes: Uint8Array, place: string): PomModel {
  const isLatin1 = /^<\?xml[^>]{1,99}["']iso-8859-1["']/i.test(latin1.decode(bytes.subarray(0, 200)));
  const text = (isLatin1 ? latin1 : decoder).decode(bytes);
  const malformed = (found: string) =>
    malformedPackageDb(`${place}: expected the XML of a Maven project, found ${found}`);
  const values = new Map<string, string>();
  const entries = new Map<string, Map<string, string>[]>(lists.map((name) => [name, []]));
  let entry: Map<string, string> | undefined;
  let count = 0;
  const begin = (name: string) => {
    const list = entries.get(name);
    if (list === undefined || count++ >= maxEntries) return;
    entry = new Map();
    list.push(entry);
  };
  const path: string[] = [];
  let value = "";
  const excluded: { group?: string; artifact?: string } = {};
  const exclude = (name: string) => {
    if (name === "groupId") excluded.group = value.trim();
    if (name === "artifactId") excluded.artifact = value.trim();
    if (name !== "exclusion") return;
    const known = entry?.get(excludedBy) ?? "";
    const next = `${excluded.group ?? ""}:${excluded.artifact ?? ""}`;
    if (known.length < maxValueCharacters) entry?.set(excludedBy, known === "" ? next : `${known} ${next}`);
  };
  const parser = new SaxesParser();
  parser.ENTITIES = entities;
  parser.on("doctype", () => {
    throw malformed("a document type declaration");
  });
  parser.on("opentag", ({ name }) => {
    path.push(name.slice(name.indexOf(":") + 1));
    value = "";
    if (path.length === 1 && path[0] !== "project") throw malformed(`<${path[0]}>, not <project>`);
    if (path.length === 3 || path.length === 4) begin(path.slice(1).join("/"));
    if (path.length > maxDepth) throw malformed(`elements that are nested more than ${maxDepth} deep`);
  });
  const add = (more: string) => {
    value = (value + more.slice(0, maxValueCharacters)).slice(0, maxValueCharacters);
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => {
    const key = keyOf(path);
    if (key !== undefined) values.set(key, value.trim());
    if (values.size > maxProperties) throw malformed(`more than ${maxProperties} properties`);
    const name = path.pop() ?? "";
    if (path.at(-1) === "exclusion" || name === "exclusion") exclude(name);
    if (path.length > 4 || entry === undefined || path.length < 2) return;
    const within = path.slice(1).join("/");
    if (entries.has(within)) entry.set(name, value.trim());
    else if (entries.has(`${within}/${name}`)) entry = undefined;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof ScanError) throw error;
    throw malformed(error instanceof Error ? error.message : String(error));
  }
  return { values, list: (name) => entries.get(name) ?? [] };
}

/** Maven accepts the entities of HTML. No coordinates have any of them, so each becomes a character that is not allowed in coordinates. */
const entities: Record<string, string> = new Proxy({}, { get: (_, name) => xmlEntities.get(name) ?? "\ufffd" });

const xmlEntities: ReadonlyMap<string | symbol, string> = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["lt", "<"],
  ["quot", '"'],
]);

function keyOf(path: readonly string[]): string | undefined {
  if (path.length > 3) return undefined;
  const [, outer, inner] = path;
  if (outer === "properties" && inner !== undefined) return `property:${inner}`;
  return texts.has(path.slice(1).join("/")) ? `project.${path.slice(1).join(".")}` : undefined;
}

/** Replaces the references in a value. References that this file cannot resolve remain; such a value is neither an id nor a version. */
export function resolve(value: string, values: ReadonlyMap<string, string>): string {
  let text = value;
  for (let round = 0; round < maxRounds && text.includes("${"); round++) {
    const next = text.replace(reference, (whole, name: string) => lookUp(name.trim(), values) ?? whole);
    if (next === text || next.length > maxValueCharacters) break;
    text = next;
  }
  return text;
}

/** The value of a property or of a path: `project.version`, or the older `pom.version` and `version`. */
function lookUp(name: string, values: ReadonlyMap<string, string>): string | undefined {
  return values.get(`property:${name}`) ?? ofProject(name.replace(/^(?:project|pom)\./, ""), values);
}

/** A value of the project. Group and version are inherited from the parent. */
function ofProject(name: string, values: ReadonlyMap<string, string>): string | undefined {
  const isInherited = name === "groupId" || name === "version";
  return values.get(`project.${name}`) ?? (isInherited ? values.get(`project.parent.${name}`) : undefined);
}
