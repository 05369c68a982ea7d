/**
 * Yarn's lock file. Yarn 1 has its own form, later versions use YAML:
 *
 * ```
 * 1:  NAME@RANGE {", " NAME@RANGE} ":" line-end {"  " key " " value line-end}      version "4.3.4"
 * 2-: "NAME@npm:RANGE": { version: 4.3.4, resolution: "NAME@npm:4.3.4" }
 * ```
 * It does not say which packages are for development.
 * @see https://yarnpkg.com/configuration/manifest
 */

import { type LockedPackage, lockFileDetector } from "../../language/lock-file.ts";
import { parseYamlSubset, yamlMap, yamlText } from "../../language/yaml-subset.ts";
import { decodeText } from "../../linux/text.ts";

/** Reads `yarn.lock`. */
export const yarnLockDetector = lockFileDetector({
  name: "yarn-lock",
  isNamed: (file) => file === "yarn.lock",
  read: (file) => {
    const text = decodeText(file.bytes);
    return /^__metadata:/m.test(text) ? ofYaml(text) : ofYarn1(text);
  },
});

function* ofYaml(text: string): Iterable<LockedPackage> {
  for (const entry of parseYamlSubset(text).values()) {
    const members = yamlMap(entry);
    const resolution = yamlText(members.get("resolution"));
    const at = Math.max(resolution.indexOf("@npm:"), resolution.indexOf("@patch:"));
    const version = yamlText(members.get("version"));
    const isOptional = members.has("conditions");
    if (at > 0 && version !== "") yield { name: resolution.slice(0, at), version, isOptional };
    else if (/^.[^@]*@(?:git|https?:)/.test(resolution))
      yield { name: resolution.slice(0, resolution.indexOf("@", 1)), version, isUnpublished: true };
  }
}

function* ofYarn1(text: string): Iterable<LockedPackage> {
  let name = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("#") || line === "") continue;
    if (!line.startsWith(" ")) name = nameOf(line);
    const [, version] = /^ {2}version "(\d[^"]*)"$/.exec(line) ?? [];
    if (version !== undefined && name !== "") yield { name, version };
  }
}

/** The package name in `"alias@npm:@scope/name@^1", …:`, here `@scope/name`; empty for a folder of the project. */
function nameOf(line: string): string {
  const [first = ""] = line.replace(/:$/, "").split(", ", 1);
  const text = first.replaceAll('"', "");
  const at = text.indexOf("@", 1);
  const [name, range] = at < 0 ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
  if (/^(?:file|link|portal):/.test(range)) return "";
  if (!range.startsWith("npm:")) return name;
  const target = range.slice("npm:".length);
  const end = target.indexOf("@", 1);
  return end < 0 ? target : target.slice(0, end);
}
