/**
 * `META-INF/maven/GROUP/ARTIFACT/pom.properties`, which Maven writes into archives that it builds:
 *
 * ```
 * file = {"#" comment | name separator value} with a line each
 * separator = blanks ["=" | ":"] blanks, not empty
 * ```
 * @see https://maven.apache.org/shared/maven-archiver/index.html
 * @see https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)
 */

import { isPlaceholder } from "../../model/package-name.ts";

/** The coordinates of a Maven artifact. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  /** Empty if unknown. */
  readonly version: string;
}

const folder = /(?:^|\/)META-INF\/maven\/([^/]+)\/([^/]+)\/pom\.(?:properties|xml)$/;
const decoder = new TextDecoder();

/** The coordinates in the path of `pom.properties` or `pom.xml`; undefined for any other path. */
export function findPathCoordinates(path: string): Coordinates | undefined {
  const [, group = "", artifact = ""] = folder.exec(path) ?? [];
  return isId(group) && isId(artifact) ? { group, artifact, version: "" } : undefined;
}

/** Parses the file. Without valid ids in the file, the ids of its path are used. */
export function parsePomProperties(bytes: Uint8Array, ofPath: Coordinates): Coordinates {
  const values = new Map<string, string>();
  for (const line of decoder.decode(bytes).split(/\r\n|\n|\r/)) {
    const [, name, value = ""] = /^(groupId|artifactId|version)(?:[ \t\f]*[=:]|[ \t\f])(.*)$/.exec(line.trim()) ?? [];
    if (name !== undefined) values.set(name, unescaped(value).trim());
  }
  const [group = "", artifact = "", version = ""] = ["groupId", "artifactId", "version"].map((name) =>
    values.get(name),
  );
  const ids = isId(group) && isId(artifact) ? { group, artifact } : ofPath;
  return { group: ids.group, artifact: ids.artifact, version: isVersion(version) ? version : "" };
}

/** `\u002e` is a UTF-16 code unit, `\:` the character itself. */
function unescaped(value: string): string {
  return value.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, unit: string | undefined, character: string) =>
    unit === undefined ? character : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}

/** Whether a text can be the id of a group or an artifact. False for a placeholder: `unspecified`. */
export function isId(text: string): boolean {
  return /^[\w.-]{1,200}$/.test(text) && !isPlaceholder(text);
}

/** Whether a text can be a version. False for a placeholder: an unresolved `${project.version}`, `unspecified`. */
export function isVersion(text: string): boolean {
  return /^[\w.+~-]{1,200}$/.test(text) && !isPlaceholder(text);
}
