import { isObject, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";

const suffix = ".dart_tool/package_config.json";
const maxBytes = 16 * 1024 ** 2;
/** The folder of registries in the cache of packages: `…/hosted/pub.dev/http-0.13.5/`. */
const hosted = "/hosted/";

/**
 * Finds the Dart packages that a source folder uses, by the list that `dart pub get` writes for the compiler.
 * @see https://github.com/dart-lang/language/blob/main/accepted/2.8/language-versioning/package-config-file-v2.md
 */
export const dartDetector: FileDetector = {
  name: "dart-package-config",
  revision: 1,
  wants: ({ path }: FileEntry) => path === suffix || path.endsWith(`/${suffix}`),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const packages: Json | undefined = isObject(json) ? json.packages : undefined;
    for (const entry of Array.isArray(packages) ? packages : []) {
      const name = isObject(entry) ? textOf(entry.name) : "";
      const version = isObject(entry) ? versionOf(name, textOf(entry.rootUri)) : "";
      if (name !== "" && version !== "") yield provenPackage(file, { name, version });
    }
  },
};

const cached = /(?:^|\/)hosted\/[^/]+\/([a-z_][a-z0-9_]*)-(\d[^/]*)\/pubspec\.yaml$/i;

/**
 * Finds the Dart packages in a cache of pub, by the folder of each: `.pub-cache/hosted/pub.dev/http-0.13.5/pubspec.yaml`.
 * @see https://dart.dev/tools/pub/environment-variables
 */
export const pubCacheDetector: FileDetector = {
  name: "dart-pub-cache",
  revision: 1,
  wants: ({ path }: FileEntry) => path.endsWith("/pubspec.yaml") && cached.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", version = ""] = cached.exec(file.path) ?? [];
    yield provenPackage(file, { name, version: decoded(version) });
  },
};

/** The version in the name of the package's folder; empty for a package that is not from a registry. A `+` is escaped in addresses. */
function versionOf(name: string, rootUri: string): string {
  if (!rootUri.includes(hosted)) return "";
  const folder = rootUri.replace(/\/$/, "").split("/").at(-1) ?? "";
  return folder.startsWith(`${name}-`) ? decoded(folder.slice(name.length + 1)) : "";
}

function decoded(version: string): string {
  return version.replaceAll(/%2b/gi, "+");
}
