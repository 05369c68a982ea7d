/**
 * The packages that Conan has resolved, and those that a project requires:
 *
 * ```text
 * conan.lock 2   { requires: [reference], build_requires: [reference], python_requires: [reference] }
 * conan.lock 1   { graph_lock: { nodes: { ID: { ref: reference, context?: "build" | "host" } } } }
 * conanfile.txt  {"[" section "]" {reference}}        sections: requires; tool_requires, build_requires, test_requires
 * ```
 * Packages that only build or test the project are for development. A range of versions (`[>=1.2]`) is left out.
 * @see https://docs.conan.io/2/tutorial/versioning/lockfiles.html
 * @see https://docs.conan.io/2/reference/conanfile_txt.html
 */

import { isObject, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import { readJson } from "../language/json-file.ts";
import { type LockedPackage, lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";
import { parseReference } from "./reference.ts";

const conanLockDetector = lockFileDetector({
  name: "conan-lock",
  isNamed: (file) => file === "conan.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    if (!isObject(json)) return;
    yield* locked(json.requires, { isDevelopment: false });
    yield* locked(json.build_requires, { isDevelopment: true });
    const graph = isObject(json.graph_lock) && isObject(json.graph_lock.nodes) ? json.graph_lock.nodes : {};
    for (const node of Object.values(graph).filter(isObject))
      yield* locked([textOf(node.ref)], { isDevelopment: node.context === "build" });
  },
});

const conanFileDetector = lockFileDetector({
  name: "conanfile-txt",
  isNamed: (file) => file === "conanfile.txt",
  *read(file) {
    let section = "";
    for (const line of decodeText(file.bytes).split("\n")) {
      const [text = ""] = line.split("#", 1);
      const heading = /^\s*\[(\w+)\]\s*$/.exec(text)?.[1];
      if (heading !== undefined) section = heading;
      else if (section === "requires") yield* locked([text], { isDevelopment: false });
      else if (/^(?:tool|build|test)_requires$/.test(section)) yield* locked([text], { isDevelopment: true });
    }
  },
});

/** The detectors of Conan's lock files. */
export const conanLockFiles = [conanLockDetector, conanFileDetector];

function* locked(
  references: Json | undefined,
  { isDevelopment }: { readonly isDevelopment: boolean },
): Iterable<LockedPackage> {
  for (const each of Array.isArray(references) ? references : []) {
    const found = parseReference(textOf(each));
    if (found !== undefined) yield { ...found, isDevelopment };
  }
}
