/**
 * The dependencies of a .NET application, as in `*.deps.json`:
 *
 * ```
 * libraries: { "name/version": { type: "project" | "package" | "runtimepack" | "reference" … } }
 * targets:   { framework: { "name/version": { runtime, runtimeTargets, native, resources: { file: … }, dependencies: { name: version } } } }
 * ```
 * @see https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md
 */

import { wholeOf } from "../../bytes/byte-parts.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { LayerFile } from "../../plugins/detector.ts";
import { readJson } from "../language/json-file.ts";

const maxBytes = 64 * 1024 ** 2;

const assetKinds = ["runtime", "runtimeTargets", "native", "resources"] as const;
/** The version of projects that are not released. */
const noRelease = "0.0.0";
const runtimePackPrefix = "runtimepack.";

/** A package of an application, or the application itself. */
export interface Library {
  readonly name: string;
  readonly version: string;
  /** `name/version` of the libraries with files that it needs; undefined if no target mentions it. */
  readonly requires?: readonly string[];
}

/**
 * The packages and runtime packs whose files the application has. A package without files in any target is left out: it was needed only
 * to compile, or the framework has a newer one. The application itself and its projects are listed as the packages of their names.
 */
export function* librariesOf(document: JsonObject): Generator<Library> {
  if (!isObject(document.libraries)) return;
  const targets = targetsOf(document);
  const used = usedTargets(document, targets);
  for (const [key, entry] of Object.entries(document.libraries)) {
    const library = isObject(entry) ? libraryOf(key, entry.type) : undefined;
    if (library !== undefined && hasInstalledFiles(key, targets)) yield { ...library, requires: needsOf(key, used) };
  }
}

/** The target that the application runs with, which one that has several names. */
function usedTargets({ targets, runtimeTarget }: JsonObject, all: readonly JsonObject[]): readonly JsonObject[] {
  const named = memberOf(targets, textOf(memberOf(runtimeTarget, "name")));
  return isObject(named) && Object.keys(named).length > 0 ? [named] : all;
}

/** The libraries with files that one needs, also those behind libraries without, which have no package in the application. */
function needsOf(key: string, targets: readonly JsonObject[]): readonly string[] | undefined {
  if (!targets.some((target) => isObject(target[key]))) return undefined;
  const seen = new Set([key]);
  const found: string[] = [];
  for (const next of seen) {
    if (next !== key && hasInstalledFiles(next, targets)) found.push(withoutPrefix(next));
    else for (const each of targets.flatMap((target) => dependenciesIn(target[next]))) seen.add(each);
  }
  return found;
}

function dependenciesIn(entry: Json | undefined): readonly string[] {
  const dependencies = isObject(entry) && isObject(entry.dependencies) ? entry.dependencies : {};
  return Object.entries(dependencies).map(([name, version]) => `${name}/${textOf(version)}`);
}

function withoutPrefix(name: string): string {
  return name.startsWith(runtimePackPrefix) ? name.slice(runtimePackPrefix.length) : name;
}

function libraryOf(key: string, type: Json | undefined): Library | undefined {
  const slash = key.lastIndexOf("/");
  const [name, version] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
  if (name === "" || version === "") return undefined;
  if (type === "package") return { name, version };
  if (type === "project") return version === noRelease ? undefined : { name, version };
  if (type !== "runtimepack") return undefined;
  return { name: withoutPrefix(name), version };
}

/** Whether a target has files of a library, or no target mentions it. */
function hasInstalledFiles(key: string, targets: readonly JsonObject[]): boolean {
  const entries = targets.map((target) => target[key]).filter(isObject);
  return entries.length === 0 || entries.some(hasFiles);
}

function hasFiles(entry: JsonObject): boolean {
  return assetKinds.some((kind) => {
    const files = entry[kind];
    // `_._` represents an empty folder
    return isObject(files) && Object.keys(files).some((file) => !file.endsWith("_._"));
  });
}

/**
 * The document of a `deps.json`, which may have comments, as its reader allows.
 * @throws ScanError `malformed_package_db`
 * @see https://github.com/dotnet/runtime/blob/v8.0.0/src/libraries/Microsoft.Extensions.DependencyModel/src/DependencyContextJsonReader.cs
 */
export function readDepsJson(file: LayerFile): JsonObject {
  const document = readWithComments(file);
  if (!isObject(document)) throw malformedPackageDb("expected an object, found something else");
  return document;
}

function readWithComments(file: LayerFile): Json {
  try {
    return readJson(file, maxBytes);
  } catch (error) {
    const text = new TextDecoder().decode(wholeOf(file, maxBytes));
    if (!text.includes("/*") && !text.includes("//")) throw error;
    return readJson({ ...file, bytes: new TextEncoder().encode(withoutComments(text)), parts: undefined }, maxBytes);
  }
}

/** The text without comments, but for what is in a string. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') for (at++; at < text.length && text[at] !== '"'; at++) at += text[at] === "\\" ? 1 : 0;
    const begin = text.startsWith("//", at) ? "//" : text.startsWith("/*", at) ? "/*" : undefined;
    if (begin === undefined) continue;
    const end = text.indexOf(begin === "//" ? "\n" : "*/", at + 2);
    parts.push(text.slice(kept, at));
    kept = end < 0 ? text.length : end + begin.length - (begin === "//" ? 1 : 0);
    at = kept - 1;
  }
  return [...parts, text.slice(kept)].join("");
}

/** Whether it has the files of a library that was taken from elsewhere than a package: of what they are is not listed. */
export function hasReferences(document: JsonObject): boolean {
  const targets = targetsOf(document);
  return Object.entries(isObject(document.libraries) ? document.libraries : {}).some(
    ([key, entry]) =>
      /^reference/i.test(textOf(memberOf(entry, "type"))) && targets.some((target) => hasFilesOf(key, target)),
  );
}

function hasFilesOf(key: string, target: JsonObject): boolean {
  const entry = target[key];
  return isObject(entry) && hasFiles(entry);
}

function targetsOf({ targets }: JsonObject): readonly JsonObject[] {
  return Object.values(isObject(targets) ? targets : {}).filter(isObject);
}

/**
 * The paths of the files that targets list of the libraries that are packages, relative to the folder of the document. Each file has two possible paths: the listed one, and
 * its name alone, because most files of packages are copied into that folder. Files of other libraries are what they say themselves.
 */
export function filesOf(document: JsonObject): ReadonlySet<string> {
  const files = new Set<string>();
  const libraries = isObject(document.libraries) ? document.libraries : {};
  for (const [key, entry] of targetsOf(document).flatMap(Object.entries<Json>)) {
    const library = Object.hasOwn(libraries, key) ? libraries[key] : undefined;
    if (!isObject(entry) || !isObject(library) || libraryOf(key, library.type) === undefined) continue;
    for (const listed of assetKinds.map((kind) => entry[kind]).filter(isObject)) {
      for (const file of Object.keys(listed)) files.add(file).add(file.slice(file.lastIndexOf("/") + 1));
    }
  }
  return files;
}
