import { foldersAbove, joinPath, parentOf } from "../../layer/paths.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../../plugins/coalescer.ts";

/**
 * What a `package.json` says about its package.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json
 */
export function npmDetails(json: JsonObject): PackageDetails {
  const { author, contributors, maintainers, homepage, repository, description, _resolved } = json;
  const people = [author, ...listOf(contributors)].map(personOf);
  return {
    licenses: licensesOf(json),
    originator: personOf(author) || undefined,
    supplier: listOf(maintainers)
      .map(personOf)
      .find((each) => each !== ""),
    authors: [...new Set(people.filter((each) => each !== ""))],
    description: textOf(description),
    homepage: textOf(homepage),
    sourceAddress: isObject(repository) ? textOf(repository.url) : textOf(repository),
    downloadAddress: textOf(_resolved),
    ...needsIn(json),
  };
}

/** Dependencies and peers, each as `NAME@RANGE`. What `optionalDependencies` has may be in `dependencies` too. */
function needsIn(json: JsonObject): Pick<PackageDetails, "requires" | "recommends"> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = json;
  const isOptional = (name: string) =>
    memberOf(optionalDependencies, name) !== undefined ||
    (memberOf(dependencies, name) === undefined && memberOf(memberOf(peerDependenciesMeta, name), "optional") === true);
  const all = [dependencies, optionalDependencies, peerDependencies].flatMap((each) =>
    Object.entries(isObject(each) ? each : {}),
  );
  const needs = Map.groupBy(all, ([name]) => (isOptional(name) ? "recommends" : "requires"));
  const written = (kind: "requires" | "recommends") =>
    needs.get(kind)?.map(([name, range]) => `${name}@${textOf(range)}`);
  return { requires: written("requires") ?? [], recommends: written("recommends") };
}

/** The name of a need: all before its last `@` but for that of a scope. */
function nameIn(need: string): string {
  return need.slice(0, need.indexOf("@", 1));
}

/** Folders in which Debian's packages of Node.js modules are found without being in `node_modules`. */
const ofDebian = ["usr/share/nodejs", "usr/lib/nodejs"] as const;

/**
 * Finds what packages of npm need as Node.js finds modules: in `node_modules` of the package's own folder, and of each folder above it. The folder may be a link.
 * @see https://nodejs.org/api/modules.html#loading-from-node_modules-folders
 */
export const npmDependencies: DependencyResolver = (packages, { resolve }) => {
  const byPath = new Map(packages.map((each) => [each.packageDb, each]));
  const known = new Map<string, CoalescedPackage | undefined>();
  const find = (folder: string, name: string) => {
    const path = `${folder}/${name}/package.json`;
    const found = byPath.get(path);
    if (found !== undefined) return found;
    if (!known.has(path)) known.set(path, byPath.get(resolve(path)));
    return known.get(path);
  };
  return function* needsOf({ packageDb, details: { requires = [], recommends = [] } = {} }): Iterable<ResolvedNeed> {
    const own = parentOf(packageDb);
    const above = [own, ...foldersAbove(own), ""].filter((folder) => !/(?:^|\/)node_modules$/.test(folder));
    const folders = [...above.map((folder) => joinPath(folder, "node_modules")), ...ofDebian];
    for (const [index, need] of [...requires, ...recommends].entries()) {
      const name = nameIn(need);
      const found = folders
        .values()
        .map((folder) => find(folder, name))
        .find((each) => each !== undefined);
      yield { need, met: found === undefined ? [] : [found], isOptional: index >= requires.length ? true : undefined };
    }
  };
};

/** An expression; the object of old packages, or a list of objects, any of which the user may choose. */
function licensesOf({ license, licenses }: JsonObject): readonly LicenseStatement[] {
  const own = licenseName(license);
  if (own !== "") return [{ text: own }];
  const names = [...(Array.isArray(license) ? license : []), ...listOf(licenses)].map(licenseName);
  const stated = names.filter((each) => each !== "");
  return stated.length === 0 ? [] : [{ text: stated.join(" OR ") }];
}

function licenseName(license: Json | undefined): string {
  return isObject(license) ? textOf(license.type) || textOf(license.name) : textOf(license);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

/** `Name <mail>` of an object, or the text. */
function personOf(person: Json | undefined): string {
  if (!isObject(person)) {
    const text = textOf(person);
    return text.endsWith(")") ? text.slice(0, text.lastIndexOf("(")).trim() : text; // its home page
  }
  const [name, email] = [textOf(person.name), textOf(person.email)];
  return name !== "" && email !== "" ? `${name} <${email}>` : name || email;
}
