/**
 * Yarn's lock file. Yarn 1 has its own form, later versions use YAML:
 *
 * ```
 * 1:  NAME@RANGE {", " NAME@RANGE} ":" line-end {"  " key " " value line-end}      version "4.3.4"
 * 2-: "NAME@npm:RANGE": { version: 4.3.4, resolution: "NAME@npm:4.3.4" }
 * ```
 * It does not say which packages are for development. Optional are those that others need only as `optionalDependencies`, or with `conditions`.
 * @see https://yarnpkg.com/configuration/manifest
 */

import { findUses, type Need, type Use } from "../../language/dependency-uses.ts";
import { type LockedPackage, lockFileDetector } from "../../language/lock-file.ts";
import { parseYamlSubset, yamlMap, yamlText } from "../../language/yaml-subset.ts";
import { decodeText } from "../../linux/text.ts";

/** Reads `yarn.lock`. */
export const yarnLockDetector = lockFileDetector({
  name: "yarn-lock",
  revision: 2,
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
  const entries = [...yarn1Entries(text)];
  const useOf = usesIn(entries);
  for (const { name, version, descriptors } of entries)
    if (name !== "" && version !== "") yield { name, version, isOptional: useOf(descriptors) === "optional" };
}

/** An entry of Yarn 1, with what it needs as `NAME@RANGE`. */
interface Yarn1Entry {
  readonly descriptors: readonly string[];
  readonly name: string;
  version: string;
  readonly needs: Need[];
}

function* yarn1Entries(text: string): Iterable<Yarn1Entry> {
  let [entry, section]: [Yarn1Entry | undefined, string] = [undefined, ""];
  for (const line of text.split("\n")) {
    if (line.startsWith("#") || line === "") continue;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) {
      if (entry !== undefined) yield entry;
      const descriptors = line.replace(/:$/, "").replaceAll('"', "").split(", ");
      entry = { descriptors, name: nameOf(line), version: "", needs: [] };
    } else if (indent === 2) {
      section = line.trim();
      const [, version] = /^version "(\d[^"]*)"$/.exec(section) ?? [];
      if (version !== undefined && entry !== undefined) entry.version = version;
    } else if (section === "dependencies:" || section === "optionalDependencies:") {
      const [, name, range] = /^"?([^"\s]+)"? "?([^"]*)"?$/.exec(line.trim()) ?? [];
      if (name !== undefined) entry?.needs.push({ key: `${name}@${range}`, isCertain: section === "dependencies:" });
    }
  }
  if (entry !== undefined) yield entry;
}

/**
 * What the project needs entries for, by their descriptors. It needs those itself that no package needs; the file does not say which of these are
 * for development.
 */
function usesIn(entries: readonly Yarn1Entry[]): (descriptors: readonly string[]) => Use {
  const needed = new Set(entries.flatMap(({ needs }) => needs.map(({ key }) => key)));
  const byDescriptor = new Map(entries.flatMap((each) => each.descriptors.map((key) => [key, each] as const)));
  const first = [...byDescriptor.keys()].filter((key) => !needed.has(key)).map((key) => ({ key, isCertain: true }));
  const useOf = findUses(first, (key) => byDescriptor.get(key)?.needs ?? []);
  return (descriptors) => {
    const uses = descriptors.map(useOf);
    return (["runtime", "optional"] as const).find((use) => uses.includes(use)) ?? "development";
  };
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
