import { memberOf, objectsOf, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";

const suffix = ".dart_tool/package_config.json";
const maxBytes = 16 * 1024 ** 2;
/** The folder of registries in the cache of packages: `…/hosted/pub.dev/http-0.13.5/`. */
const hosted = "/hosted/";
/** A package in a folder of a Git repository in the cache: `…/git/plugins-0123…/packages/camera/`. That at its root is found by its own description. */
const insideRepository = /\/git\/[^/]+-[0-9a-f]{40}\/[^/]/;

/**
 * Finds the Dart packages that a source folder uses, by the list that `dart pub get` writes for the compiler. One in a folder of a Git repository remains
 * unassessed.
 * @see https://github.com/dart-lang/language/blob/main/accepted/2.8/language-versioning/package-config-file-v2.md
 */
export const dartDetector: FileDetector = {
  name: "dart-package-config",
  revision: 2,
  names: { endings: [suffix] },
  wants: ({ path }: FileEntry) => path === suffix || path.endsWith(`/${suffix}`),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    let unread = 0;
    for (const entry of objectsOf(memberOf(json, "packages"))) {
      const [name, rootUri] = [textOf(entry.name), textOf(entry.rootUri)];
      const version = versionOf(name, rootUri);
      if (name !== "" && version !== "") yield provenPackage(file, { name, version });
      if (insideRepository.test(rootUri)) unread++;
    }
    if (unread > 0) yield { kind: "evidence", path: file.path, packages: "dart", pieces: unread };
  },
};

/** The version in the name of the package's folder; empty for a package that is not from a registry. A `+` is escaped in addresses. */
function versionOf(name: string, rootUri: string): string {
  if (!rootUri.includes(hosted)) return "";
  const folder = rootUri.replace(/\/$/, "").split("/").at(-1) ?? "";
  return folder.startsWith(`${name}-`) ? folder.slice(name.length + 1).replaceAll(/%2b/gi, "+") : "";
}
