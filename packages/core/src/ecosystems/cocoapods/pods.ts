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
import type { LockedPackage } from "../language/lock-file.ts";
import { parseYamlSubset, type YamlValue, yamlMap } from "../language/yaml-subset.ts";
import { decodeText } from "../linux/text.ts";

const pod = /^([^\s/()]+)(?:\/[^()]*)? \(([^\s()]+)\)$/;

/** The pods of a file, each once: its parts (`AFNetworking/Reachability`) have its version. Pods in a folder of the project belong to it. */
export function* podsIn(bytes: Uint8Array): Iterable<LockedPackage> {
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
