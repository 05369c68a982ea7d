/**
 * `META-INF/maven/GROUP/ARTIFACT/pom.xml`, the model of an artifact. These parts are read:
 *
 * ```
 * project = groupId? artifactId version? parent? properties?      an absent groupId or version is that of parent
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
/** Longer values cannot be part of coordinates. */
const maxValueCharacters = 1000;
/** The nesting of properties in values of properties. Also ends references in a circle. */
const maxRounds = 16;

const reference = /\$\{([^${}]{1,200})\}/g;
const decoder = new TextDecoder();

/**
 * Parses the coordinates of a model. Without valid ids in the model, the ids of its path are used. The version is empty if it is unknown.
 * @param place of the file, for messages
 * @throws ScanError `malformed_package_db` if it is not XML, has a document type declaration or is nested too deep
 */
export function parsePomXml(bytes: Uint8Array, ofPath: Coordinates, place: string): Coordinates {
  const values = readValues(decoder.decode(bytes), place);
  const [group, artifact, version] = ["groupId", "artifactId", "version"].map((name) =>
    resolve(ofProject(name, values) ?? "", values),
  ) as [string, string, string];
  const ids = isId(group) && isId(artifact) ? { group, artifact } : ofPath;
  return { group: ids.group, artifact: ids.artifact, version: isVersion(version) ? version : "" };
}

/** The values by their paths, `project.version`, and properties by their names: `property:NAME`. */
function readValues(text: string, place: string): ReadonlyMap<string, string> {
  const malformed = (found: string) =>
    malformedPackageDb(`${place}: expected the XML of a Maven project, found ${found}`);
  const values = new Map<string, string>();
  const path: string[] = [];
  let value = "";
  const parser = new SaxesParser();
  parser.ENTITIES = entities;
  parser.on("doctype", () => {
    throw malformed("a document type declaration");
  });
  parser.on("opentag", ({ name }) => {
    path.push(name.slice(name.indexOf(":") + 1));
    value = "";
    if (path.length === 1 && path[0] !== "project") throw malformed(`<${path[0]}>, not <project>`);
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
    path.pop();
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof ScanError) throw error;
    throw malformed(error instanceof Error ? error.message : String(error));
  }
  return values;
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
  const [, outer, inner] = path;
  if (path.length === 2 && isCoordinate(outer)) return `project.${outer}`;
  if (path.length !== 3) return undefined;
  if (outer === "properties") return `property:${inner}`;
  return outer === "parent" && isCoordinate(inner) ? `project.parent.${inner}` : undefined;
}

function isCoordinate(name = ""): boolean {
  return name === "groupId" || name === "artifactId" || name === "version";
}

/** Replaces the references in a value. References that this file cannot resolve remain; such a value is neither an id nor a version. */
function resolve(value: string, values: ReadonlyMap<string, string>): string {
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
