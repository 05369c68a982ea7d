import { licenseAt } from "../../licenses/license-address.ts";
import { knownLicense, licenseChoice } from "../../licenses/spdx.ts";
import { type LicenseStatement, type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { DetailsFinding } from "../../plugins/finding.ts";
import type { Manifest } from "./manifest.ts";
import type { Coordinates } from "./pom-properties.ts";
import { coordinatesOf, excludedBy, type PomEntry, type PomModel, resolve } from "./pom-xml.ts";

/**
 * What a model says about its artifact. References to what only its parent states remain in the texts.
 * @see https://maven.apache.org/ref/current/maven-model/maven.html
 */
export function pomDetails(model: PomModel): PackageDetails {
  const text = (name: string) => resolve(model.values.get(`project.${name}`) ?? "", model.values);
  const people = model.list("developers/developer").map((each) => personOf(each, model));
  return {
    licenses: licensesIn(model),
    supplier: text("organization.name"),
    authors: people,
    description: text("description") || text("name"),
    homepage: text("url"),
    sourceAddress: text("scm.url"),
    ...needsIn(model),
  };
}

/**
 * The model as a finding, for those that inherit from it, and for archives that do not have it themselves. Undefined where its coordinates are not known.
 * @param details what it says, if the archive beside it has no copy of it
 */
export function modelFinding(path: string, model: PomModel, details: PackageDetails = {}): DetailsFinding | undefined {
  const { group, artifact, version } = coordinatesOf(model, nowhere);
  const of = `${group}:${artifact}:${version}`;
  if (group === "" || artifact === "" || version === "") return undefined;
  return {
    kind: "details",
    path,
    of,
    like: parentIn(model),
    details: packageDetails(details) ?? {},
    values: inheritable(model),
  };
}

const nowhere: Coordinates = { group: "", artifact: "", version: "" };

/** The names of the values that say by which scope and in which version a model manages an artifact, and of those that name the models that it imports. */
export const managedScope = (artifact: string) => `managed:${artifact}`;
export const managedVersion = (artifact: string) => `version:${artifact}`;
export const importedModel = (index: number) => `import:${index}`;

const maxInheritable = 4096;

function inheritable(model: PomModel): Readonly<Record<string, string>> {
  const properties = [...model.values].filter(([name]) => name.startsWith("property:"));
  const managed = model.list("dependencyManagement/dependencies/dependency");
  const imports = managed.filter((each) => each.get("scope") === "import").map((each) => dependencyOf(each, model));
  const scopes = managed
    .filter((each) => each.get("scope") !== "import")
    .flatMap((each) => {
      const artifact = artifactIn(dependencyOf(each, model));
      const version = resolve(each.get("version") ?? "", model.values);
      const values: (readonly [string, string])[] = [[managedScope(artifact), scopeOf(each, model)]];
      return version === "" ? values : [...values, [managedVersion(artifact), version] as const];
    });
  const all = [...imports.map((each, index) => [importedModel(index), each] as const), ...properties, ...scopes];
  return Object.fromEntries(all.slice(0, maxInheritable));
}

function parentIn({ values }: PomModel): string | undefined {
  const parts = ["groupId", "artifactId", "version"].map((name) => values.get(`project.parent.${name}`) ?? "");
  return parts.includes("") ? undefined : parts.join(":");
}

/**
 * What an artifact needs to run, as `GROUP:ARTIFACT:VERSION`, with what it excludes of that, and without what it needs only for tests or gets from its surroundings. Where another model may say when it
 * is needed, which is not here, it may not be.
 */
function needsIn(model: PomModel): Pick<PackageDetails, "requires" | "recommends"> {
  const managed = new Map(
    model
      .list("dependencyManagement/dependencies/dependency")
      .map((each) => [artifactIn(dependencyOf(each, model)), each] as const),
  );
  const requires: string[] = [];
  const recommends: string[] = [];
  for (const each of model.list("dependencies/dependency")) {
    if (resolve(each.get("optional") ?? "", model.values) === "true") continue;
    const need = dependencyOf(each, model);
    const ofModel = managed.get(artifactIn(need));
    const scope = scopeOf(each, model) || (ofModel === undefined ? "" : scopeOf(ofModel, model));
    const whole = each.has("version") || ofModel === undefined ? need : dependencyOf(ofModel, model);
    const exclusions = [each, ofModel].map((entry) => entry?.get(excludedBy) ?? "").filter((each) => each !== "");
    const written = [whole, ...(exclusions.length === 0 ? [] : ["without", ...exclusions])].join(" ");
    if (scope === "" && ofModel === undefined && !each.has("version")) recommends.push(written);
    else if (isAtRunTime(scope)) requires.push(written);
  }
  return { requires, recommends };
}

/** Whether an artifact with this scope is needed at run time. @see https://maven.apache.org/guides/introduction/introduction-to-dependency-mechanism.html#dependency-scope */
export function isAtRunTime(scope: string): boolean {
  return scope === "" || scope === "compile" || scope === "runtime";
}

function scopeOf(entry: PomEntry, { values }: PomModel): string {
  return resolve(entry.get("scope") ?? "", values);
}

function dependencyOf(entry: PomEntry, { values }: PomModel): string {
  const parts = ["groupId", "artifactId", "version"].map((name) => resolve(entry.get(name) ?? "", values));
  return parts.filter((part) => part !== "").join(":");
}

/** `GROUP:ARTIFACT` of `GROUP:ARTIFACT:VERSION without GROUP:ARTIFACT`. */
export function artifactIn(need: string): string {
  return (need.split(" ", 1)[0] ?? "").split(":", 2).join(":");
}

/** The artifacts that a need excludes of all that the needed one needs in turn. */
export function exclusionsIn(need: string): readonly string[] {
  return need.split(" without ", 2)[1]?.split(" ") ?? [];
}

/** Stands among what an artifact may need if it has a parent that is not in the image. */
export const unknownParent = "what a parent states, which is not here";

/** Whether a parent may state more that an artifact needs. */
export function hasUnknownParent({ details }: { readonly details?: PackageDetails }): boolean {
  return details?.recommends?.includes(unknownParent) === true;
}

function personOf(entry: PomEntry, { values }: PomModel): string {
  const [name = "", id = "", email = ""] = ["name", "id", "email"].map((each) =>
    resolve(entry.get(each) ?? "", values),
  );
  const known = name || id;
  return known !== "" && email !== "" ? `${known} <${email}>` : known || email;
}

/** Of several licences, the user may choose. @see https://maven.apache.org/ref/current/maven-model/maven.html#project-1 */
function licensesIn(model: PomModel): readonly LicenseStatement[] {
  const stated = model.list("licenses/license").map((each) => {
    const [name = "", url = ""] = ["name", "url"].map((part) => resolve(each.get(part) ?? "", model.values));
    const title = name.replace(/\s+/g, " ").trim();
    const expression = knownLicense(title) ?? licenseAt(url);
    return { text: title || url, expression };
  });
  return licenseChoice(stated);
}

/**
 * What the manifest of an archive without a model says about it. The archives of its class path are used if they are there.
 * @see https://docs.osgi.org/specification/osgi.core/8.0.0/framework.module.html#framework.module.bundle-license
 */
export function manifestDetails(manifest: Manifest): PackageDetails {
  const text = (name: string) => manifest.get(name) ?? "";
  return {
    licenses: bundleLicenses(text("bundle-license")),
    supplier: text("bundle-vendor") || text("implementation-vendor"),
    description: text("bundle-description"),
    homepage: text("bundle-docurl") || text("implementation-url"),
    recommends: text("class-path")
      .split(/\s+/)
      .filter((path) => /^(?![a-z]+:)[^:]+\.jar$/i.test(path)),
  };
}

/** `Apache-2.0;link="https://…", MIT`: which of several apply is not stated. */
function bundleLicenses(value: string): readonly LicenseStatement[] {
  if (value === "<<EXTERNAL>>") return [];
  const items = value.slice(0, 1000).match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return items.map((item) => {
    const [, quoted, plain = quoted ?? ""] = /^\s*(?:"([^"]*)"|([^;]*))/.exec(item) ?? [];
    return { text: plain.trim() };
  });
}
