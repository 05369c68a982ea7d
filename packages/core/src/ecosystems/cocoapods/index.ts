/**
 * What CocoaPods has resolved (`Podfile.lock`), and what it has installed (`Pods/Manifest.lock`). Both have the same form:
 *
 * ```
 * PODS:                              - POD (VERSION) [":" requirements]
 * EXTERNAL SOURCES:                  NAME: { ":path" | ":git" | ":podspec": … }
 * POD                                NAME {"/" subspec}
 * ```
 * @see https://guides.cocoapods.org/using/using-cocoapods.html
 */

import { dependenciesByName, inSameFile } from "../../index/named-dependencies.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { gemVersions } from "../../versions/gem/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { type LockedPackage, lockFileDetector } from "../language/lock-file.ts";
import { provenPackage } from "../language/proof.ts";
import { parseYamlSubset, type YamlValue, yamlMap } from "../language/yaml-subset.ts";
import { decodeText } from "../linux/text.ts";
import { cocoapodsEvidence } from "./evidence.ts";

const place = /(?:^|\/)Pods\/Manifest\.lock$/;

/** Finds the pods that CocoaPods has installed, by the copy of the lock file that it keeps beside them. */
const podsDetector: FileDetector = {
  name: "cocoapods-manifest",
  revision: 2,
  names: { endings: ["/Manifest.lock"] },
  wants: ({ path }: FileEntry) => path.endsWith("/Manifest.lock") && place.test(`/${path}`),
  *detect(file: LayerFile): Iterable<Finding> {
    const needs = needsIn(file.bytes);
    for (const { name, version } of podsIn(file.bytes))
      yield provenPackage(file, { name, version, details: { requires: needs.get(name) ?? [] } });
  },
};

/** The pods that each pod needs, with what its parts need. */
function needsIn(bytes: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const items = parseYamlSubset(decodeText(bytes)).get("PODS");
  const needs = new Map<string, string[]>();
  for (const item of Array.isArray(items) ? (items as readonly YamlValue[]) : []) {
    for (const [key, needed] of typeof item === "string" ? [] : yamlMap(item)) {
      const name = nameIn(key);
      const others = (Array.isArray(needed) ? (needed as readonly YamlValue[]) : []).flatMap((each) =>
        typeof each === "string" && nameIn(each) !== name ? [nameIn(each)] : [],
      );
      needs.set(name, [...(needs.get(name) ?? []), ...others]);
    }
  }
  return needs;
}

/** `AFNetworking` of `AFNetworking/Security (= 4.0.1)`. */
function nameIn(text: string): string {
  return /^[^\s/()]+/.exec(text)?.[0] ?? text;
}

/** The detector of CocoaPods' lock file. */
const podfileLockDetector = lockFileDetector({
  name: "cocoapods-podfile-lock",
  isNamed: (file) => file === "Podfile.lock",
  read: ({ bytes }) => podsIn(bytes),
});

const pod = /^([^\s/()]+)(?:\/[^()]*)? \(([^\s()]+)\)$/;

/** The pods of a file, each once: its parts (`AFNetworking/Reachability`) have its version. Pods in a folder of the project belong to it. */
function* podsIn(bytes: Uint8Array): Iterable<LockedPackage> {
  const document = parseYamlSubset(decodeText(bytes));
  const sources = yamlMap(document.get("EXTERNAL SOURCES"));
  const items = document.get("PODS");
  const seen = new Set<string>();
  for (const item of Array.isArray(items) ? (items as readonly YamlValue[]) : []) {
    const text = typeof item === "string" ? item : ([...yamlMap(item).keys()][0] ?? "");
    const [, name, version] = pod.exec(text) ?? [];
    if (name === undefined || version === undefined || seen.has(name)) continue;
    seen.add(name);
    if (!yamlMap(sources.get(name)).has(":path")) yield { name, version };
  }
}

/** Pods of CocoaPods, which are libraries of Swift and Objective-C. Their versions are ordered like those of gems. */
export const cocoapods = defineLanguage({
  name: "cocoapods",
  ecosystem: "CocoaPods",
  repository: "cocoapods",
  fileDetectors: [podsDetector],
  lockFileDetectors: [podfileLockDetector],
  versions: gemVersions,
  evidence: cocoapodsEvidence,
  dependencies: dependenciesByName({ accepts: inSameFile }),
  purl: ["cocoapods"],
  assesses: ["swift"],
});
