import { dependenciesByName } from "../../index/named-dependencies.ts";
import { nameOf, parentOf } from "../../layer/paths.ts";
import { isObject, objectsOf, textOf } from "../../model/json-object.ts";
import { packageDetails } from "../../model/package-details.ts";
import type { CoalescedPackage, DependencyResolver, ResolvedNeed } from "../../plugins/coalescer.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { compare, valid } from "../../versions/nuget/version.ts";
import { findJson } from "../language/json-file.ts";
import { nameOfNeed } from "./nuspec.ts";

const ending = ".runtimeconfig.json";
const maxBytes = 1024 ** 2;

/**
 * Reads the shared frameworks that an application needs. One that has its own names it in `*.deps.json`.
 * @see https://github.com/dotnet/sdk/blob/main/documentation/specs/runtime-configuration-file.md
 */
export const runtimeConfigDetector: FileDetector = {
  name: "dotnet-runtimeconfig",
  revision: 1,
  names: { endings: [ending] },
  wants: ({ path, sizeBytes }: FileEntry) => path.endsWith(ending) && sizeBytes <= maxBytes,
  *detect(file: LayerFile): Iterable<Finding> {
    const json = findJson(file, maxBytes);
    const { framework, frameworks } = isObject(json) && isObject(json.runtimeOptions) ? json.runtimeOptions : {};
    const needed = objectsOf(framework === undefined ? frameworks : [framework]);
    const requires = needed.map(({ name, version }) => `${textOf(name)}/${textOf(version)}`);
    if (requires.length === 0) return;
    const { path } = file;
    yield {
      kind: "details",
      path,
      of: `${path.slice(0, -ending.length)}.deps.json`,
      details: packageDetails({ requires }) ?? {},
    };
  },
};

/** The file that states the frameworks of a package: that of an application has its name; the one of a shared framework has another. */
export function frameworksOf({ packageDb, package: { name } }: PackageFinding): readonly string[] {
  return nameOf(packageDb) === `${name}.deps.json` || frameworkOf(packageDb) !== undefined ? [packageDb] : [];
}

const folder = /(?:^|\/)shared\/([^/]+)\/(\d[^/]*)$/;

/** The shared framework whose files are in the folder of a file: its name and version. */
function frameworkOf(path: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, version] = folder.exec(parentOf(path)) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** Finds what packages of .NET need: those of the same application first, and the shared framework that the host would choose. */
export const dotnetDependencies: DependencyResolver = (packages, image) => {
  const frameworks = Map.groupBy(
    packages.filter(({ packageDb }) => frameworkOf(packageDb) !== undefined),
    ({ packageDb }) => frameworkOf(packageDb)?.name ?? "",
  );
  const byName = dependenciesByName({ namesIn, namesOf, accepts, prefers })(packages, image);
  return function* needsOf(from): Iterable<ResolvedNeed> {
    for (const found of byName(from)) {
      const [name = "", version = ""] = found.need.split("/");
      const installed = frameworks.get(name);
      yield installed === undefined ? found : { ...found, met: chosen(installed, version) };
    }
  };
};

const isApplication = (path: string) => path.endsWith(".deps.json");

/** An application uses what its own file lists, or assemblies beside it; a package of a folder of packages uses others of the folder. */
function accepts(found: CoalescedPackage, _need: string, from: CoalescedPackage): boolean {
  if (isApplication(found.packageDb) || isApplication(from.packageDb))
    return found.packageDb === from.packageDb || !isApplication(found.packageDb);
  return folderOfPackages(found) === folderOfPackages(from);
}

/** `root/.nuget/packages` of `root/.nuget/packages/a/1.0.0/a.nuspec`, and `packages` of `packages/A.1.0.0/A.nuspec`. */
function folderOfPackages({ packageDb, package: { name, version } }: CoalescedPackage): string {
  const [path, own] = [packageDb.toLowerCase(), name.toLowerCase()];
  const at = [`/${own}/`, `/${own}.${version.toLowerCase()}/`]
    .map((each) => path.indexOf(each))
    .find((each) => each >= 0);
  return at === undefined ? parentOf(packageDb) : packageDb.slice(0, at);
}

/** Of several versions, the lowest that the need allows. @see https://learn.microsoft.com/en-us/nuget/concepts/dependency-resolution#lowest-applicable-version */
function prefers(one: CoalescedPackage, other: CoalescedPackage, need: string): number {
  const [a, b] = [one.package.version, other.package.version];
  if (a === b || ![a, b].every(valid)) return 0;
  const range = need.slice(need.indexOf("/") + 1);
  return Number(isInRange(b, range)) - Number(isInRange(a, range)) || compare(a, b);
}

/** Whether a version is one of `1.0` (this or a later one), `[1.0]`, `(1.0,2.0]`, `[1.0,)`. */
function isInRange(version: string, range: string): boolean {
  const text = range.replaceAll(" ", "");
  const [low = "", high] = text.replace(/^[[(]|[\])]$/g, "").split(",", 2);
  const [below, above] = [low, high].map((bound) => (valid(bound ?? "") ? compare(version, bound ?? "") : undefined));
  if (high === undefined && text.endsWith("]")) return below === 0;
  const isAbove = below === undefined || (text.startsWith("(") ? below > 0 : below >= 0);
  return isAbove && (above === undefined || (text.endsWith("]") ? above <= 0 : above < 0));
}

function namesIn(need: string): readonly string[] {
  return [need.toLowerCase(), nameOfNeed(need)];
}

function namesOf({ package: { name, version } }: CoalescedPackage): readonly string[] {
  return [name.toLowerCase(), `${name}/${version}`.toLowerCase()];
}

/**
 * The framework by which the host runs an application: of the same major version the lowest minor one that is not older, with its newest patch.
 * @see https://learn.microsoft.com/en-us/dotnet/core/versions/selection#framework-dependent-apps-roll-forward
 */
function chosen(installed: readonly CoalescedPackage[], needed: string): readonly CoalescedPackage[] {
  const [major, minor = 0, patch = 0] = numbersIn(needed);
  const fitting = installed.filter((each) => {
    const [ownMajor, ownMinor = 0, ownPatch = 0] = numbersIn(frameworkOf(each.packageDb)?.version ?? "");
    return ownMajor === major && (ownMinor > minor || (ownMinor === minor && ownPatch >= patch));
  });
  const best = fitting.toSorted((a, b) => {
    const [one, other] = [a, b].map((each) => numbersIn(frameworkOf(each.packageDb)?.version ?? ""));
    return (one?.[1] ?? 0) - (other?.[1] ?? 0) || (other?.[2] ?? 0) - (one?.[2] ?? 0);
  });
  return best.slice(0, 1);
}

function numbersIn(version: string): readonly number[] {
  return (version.split("-", 1)[0] ?? "").split(".").map(Number);
}
