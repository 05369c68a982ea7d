import { needsBy, packageFinder } from "../../index/named-dependencies.ts";
import { foldersAbove, joinPath, parentOf } from "../../layer/paths.ts";
import { licenseAt } from "../../licenses/license-address.ts";
import { licenseReference } from "../../licenses/license-reference.ts";
import { licenseChoice } from "../../licenses/spdx.ts";
import { spdxExpression } from "../../licenses/spdx-expression.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import { compare, valid } from "../../versions/semver/version.ts";

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
    sourceAddress: repositoryAddress(isObject(repository) ? textOf(repository.url) : textOf(repository)),
    downloadAddress: textOf(_resolved),
    ...needsIn(json),
  };
}

/** Hosts that npm has short forms for; a repository without one is at GitHub. */
const hosts: ReadonlyMap<string, string> = new Map([
  ["", "github.com"],
  ["bitbucket:", "bitbucket.org"],
  ["gist:", "gist.github.com"],
  ["github:", "github.com"],
  ["gitlab:", "gitlab.com"],
]);

const shortForm = /^((?:bitbucket|gist|github|gitlab):|)([\w.-]{1,100}(?:\/[\w.-]{1,100}){0,8})(?:#[^\s#]{0,200})?$/;
/** `git@github.com:acme/app.git`, as Git itself writes it. */
const scpForm = /^(?:ssh:\/\/)?git@([a-z0-9.-]{1,100}):([\w./-]{1,200})$/i;

/**
 * The address of a repository, of which npm documents short forms: `acme/app`, `gitlab:acme/app`, `gist:11081aaa281`.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json#repository
 */
function repositoryAddress(text: string): string {
  const [, host, path = ""] = scpForm.exec(text.trim()) ?? [];
  if (host !== undefined) return `ssh://${host}/${path}`;
  const [, prefix, name = ""] = shortForm.exec(text.trim()) ?? [];
  const parts = name.split("/").length;
  const isWhole = prefix === "gist:" || (prefix === "gitlab:" ? parts > 1 : parts === 2);
  return prefix === undefined || !isWhole ? text : `https://${hosts.get(prefix)}/${name}`;
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
const ofDebian = ["usr/share/nodejs/", "usr/lib/nodejs/"] as const;

/** The place of a package in the caches of Deno and of Bun, from which programs run without `node_modules`. */
const inCache = /(?:^|\/)(?:npm\/[a-z0-9.-]+\/(?:@[^/]+\/)?[^/]+\/\d[^/]*|(?:@[^/@]+\/)?[^/@]+@[^/]+)\/package\.json$/;

/** The folder of a cache that a package is in; that of Yarn has an archive for each. Undefined for a package in `node_modules`. */
function cacheOf({ packageDb }: CoalescedPackage): string | undefined {
  const zip = packageDb.indexOf(".zip:node_modules/");
  if (zip >= 0) return parentOf(packageDb.slice(0, zip));
  const at = packageDb.includes("node_modules/") ? -1 : packageDb.search(inCache);
  return at < 0 ? undefined : packageDb.slice(0, at);
}

/** The folders in which Node.js looks for what a package needs: `node_modules` in its own, and in each above, in the same archive. */
function foldersFor(own: string): readonly string[] {
  const at = own.lastIndexOf(":") + 1;
  const [archive, inner] = [own.slice(0, at), own.slice(at)];
  const above = [inner, ...foldersAbove(inner), ""].filter((folder) => !/(?:^|\/)node_modules$/.test(folder));
  const folders = above.map((folder) => `${archive}${joinPath(folder, "node_modules")}/`);
  if (archive === "") return [...folders, ...ofDebian];
  return archive.endsWith("node_modules.asar:") ? [...folders, archive] : folders;
}

/**
 * Finds what packages of npm need as Node.js finds modules: in `node_modules` of the package's own folder, and of each folder above it. The folder may be a link.
 * Packages in a cache are found in the same one, the newest version that the need allows.
 * @see https://nodejs.org/api/modules.html#loading-from-node_modules-folders
 */
export const npmDependencies: DependencyResolver = (packages, { resolve }) => {
  const byPath = new Map(packages.map((each) => [each.packageDb, each]));
  const known = new Map<string, CoalescedPackage | undefined>();
  const findInCache = packageFinder(
    packages.filter((each) => cacheOf(each) !== undefined),
    { accepts: (found, _, from) => cacheOf(found) === cacheOf(from), prefers: newestAllowed },
  );
  const find = (path: string) => {
    const found = byPath.get(path);
    if (found !== undefined) return found;
    if (!known.has(path)) known.set(path, byPath.get(resolve(path)));
    return known.get(path);
  };
  return (from) => {
    const folders = foldersFor(parentOf(from.packageDb));
    const isCached = cacheOf(from) !== undefined;
    const meet = (need: string) => {
      const name = nameIn(need);
      const found = folders
        .values()
        .map((folder) => find(`${folder}${name}/package.json`))
        .find((each) => each !== undefined);
      return found ?? (isCached ? findInCache({ name, need, from }) : undefined);
    };
    return needsBy((need) => ({ met: [meet(need) ?? []].flat() }))(from);
  };
};

/** A version that a range such as `^1.2.0` allows first, then the newest. Other ranges allow all. */
function newestAllowed(one: CoalescedPackage, other: CoalescedPackage, need: string): number {
  const [a, b] = [one.package.version, other.package.version];
  if (!valid(a) || !valid(b)) return 0;
  const [, operator = "", bound = ""] =
    /^([~^]?)(\d+\.\d+\.\d+(?:[-+].*)?)$/.exec(need.slice(nameIn(need).length + 1)) ?? [];
  const isAllowed = (version: string) =>
    bound === "" || (compare(version, bound) >= 0 && lineOf(version, operator) === lineOf(bound, operator));
  return Number(isAllowed(b)) - Number(isAllowed(a)) || compare(b, a);
}

/** The numbers that may not change: of `^` all to the first that is not 0, of `~` two. */
function lineOf(version: string, operator: string): string {
  const numbers = version.split(/[-+]/, 1)[0]?.split(".") ?? [];
  const first = numbers.findIndex((each) => Number(each) > 0);
  if (operator === "^") return numbers.slice(0, first < 0 ? 3 : first + 1).join(".");
  return operator === "~" ? numbers.slice(0, 2).join(".") : version;
}

/** An expression; the object of old packages, or a list of either, any of which the user may choose. */
function licensesOf({ license, licenses, name, version }: JsonObject): readonly LicenseStatement[] {
  const stated = [...listOf(license), ...listOf(licenses)].map((each) =>
    licenseIn(each, `${textOf(name)} ${textOf(version)}`),
  );
  const first = stated.find(({ text }) => text !== "");
  return Array.isArray(license) || textOf(license) === "" ? licenseChoice(stated) : [first ?? []].flat();
}

/** By its name, else by the address of its text. A text that is only in a file is that of one package. */
function licenseIn(license: Json, of: string): LicenseStatement {
  const [name, address] = isObject(license)
    ? [textOf(license.type) || textOf(license.name), textOf(license.url)]
    : [textOf(license), ""];
  const text = name || address;
  if (/^see licen[cs]e in /i.test(text)) return { text, expression: licenseReference(text, of) };
  return { text, expression: spdxExpression(text) === undefined ? (licenseAt(text) ?? licenseAt(address)) : undefined };
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
