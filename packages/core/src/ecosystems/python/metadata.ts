import { needsBy, packageFinder } from "../../index/named-dependencies.ts";
import { nameOf, normalizePath } from "../../layer/paths.ts";
import { licenseReference } from "../../licenses/license-reference.ts";
import { knownLicense } from "../../licenses/spdx.ts";
import { licensesIn } from "../../licenses/spdx-expression.ts";
import { type LicenseStatement, type PackageDetails, packageDetails } from "../../model/package-details.ts";
import { normalizePypiName } from "../../model/package-name.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Runtime } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { readHeaderFields, readHeaderLists } from "../language/header-fields.ts";
import { nativeArch } from "../linux/native-arch.ts";
import { evaluateMarker } from "./markers.ts";

const names: ReadonlySet<string> = new Set(["name", "version"]);

/** Name and version as written; absent if the head does not have them. */
export interface PythonMetadata {
  readonly name?: string;
  readonly version?: string;
}

/**
 * Parses the head of `METADATA` or `PKG-INFO`.
 * @see https://packaging.python.org/en/latest/specifications/core-metadata/
 */
export function parseMetadata(lines: readonly string[]): PythonMetadata {
  const fields = readHeaderFields(lines, names);
  const [name, version] = [fields.get("name"), fields.get("version")];
  return { name, version };
}

/** What the metadata say about the package. @param path of the file */
export function metadataDetails(lines: readonly string[], path: string): PackageDetails {
  const fields = readHeaderLists(lines);
  const first = (name: string) => fields.get(name)?.[0];
  const addresses = new Map((fields.get("project-url") ?? []).map(labelled));
  return {
    licenses: statedLicenses(fields, lines),
    originator: personIn(fields, "author"),
    supplier: personIn(fields, "maintainer"),
    authors: [personIn(fields, "author"), personIn(fields, "maintainer")].filter((each) => each !== undefined),
    description: first("summary"),
    homepage: first("home-page") ?? addresses.get("homepage") ?? addresses.get("home"),
    sourceAddress: ["source", "source code", "repository", "code", "github"]
      .map((label) => addresses.get(label))
      .find(Boolean),
    downloadAddress: first("download-url"),
    requires: fields.get("requires-dist") ?? (path.endsWith("/METADATA") ? [] : undefined), // an egg has them in another file
  };
}

function markerIn(need: string): string {
  const at = need.indexOf(";");
  return at < 0 ? "" : need.slice(at + 1);
}

/** A folder of packages, and the version in its name, of which Debian's has only the first number. */
const packageFolder = /^(.*?)lib(?:64)?\/python(\d(?:\.\d+)?)\/(site|dist)-packages\//;

/** The interpreter of a folder of packages is beside it; that of the folder for what an administrator installs is the system's. */
export const pythonRuntime: Runtime = {
  program: "python",
  placesFor(packageDb) {
    const [, prefix = "", version] = packageFolder.exec(packageDb) ?? [];
    if (version === undefined) return [];
    const prefixes = prefix.endsWith("usr/local/") ? [prefix, prefix.slice(0, -"local/".length)] : [prefix];
    return prefixes.flatMap((each) => [`${each}bin/python${version}`, `${each}lib/libpython${version}.so.1.0`]);
  },
};

type Image = Parameters<DependencyResolver>[1];

/** Where an interpreter finds packages. */
interface Environment {
  /** The folder that `lib` is in; that of the system for what it shares with what an administrator installs. Undefined for a folder that is in none. */
  readonly root?: string;
  /** Of its interpreter: `3.11`; only the first number, or undefined, if no more is known. */
  readonly version?: string;
  /** About the interpreter, for markers. */
  readonly values: ReadonlyMap<string, string>;
}

/** Makes the function that finds the environment of a folder of packages, by what is beside it. */
function environmentFinder(image: Image): (packageDb: string) => Environment {
  const programs = new Map(image.packagesIn("known-programs").map((each) => [each.packageDb, each.package]));
  const known = new Map<string, Environment>();
  const debian = debianVersion(image, [...programs.keys()]);
  const machine = machineOf(image);
  const isThere = (place: string) => programs.has(place) || image.resolve(place) !== place;
  const make = (packageDb: string): Environment => {
    const [, prefix = "", short = "", kind = ""] = packageFolder.exec(packageDb) ?? [];
    const places = pythonRuntime.placesFor?.(packageDb) ?? [];
    const ends = [...places, ...places.map((place) => image.resolve(place))];
    const linked = ends.map((place) => /python(\d\.\d+)/.exec(place)?.[1]).find((each) => each !== undefined);
    const version = linked ?? (prefix === "usr/" && short === "3" ? debian : undefined);
    const more = version === undefined ? [] : [`${prefix}bin/python${version}`];
    const whole = [...ends, ...more].map((place) => programs.get(place)).find((each) => each?.name === "python");
    const ofProgram = /^\d\.\d+/.exec(whole?.version ?? "")?.[0];
    const values = [
      ["python_version", ofProgram ?? version],
      ["python_full_version", whole?.version],
      ["platform_machine", machine],
      ["platform.machine", machine],
    ] as const;
    const isOfSystem =
      prefix === "" || (prefix.endsWith("usr/local/") && (kind === "dist" || !isThere(`${prefix}bin/python${short}`)));
    return {
      root: short === "" ? undefined : isOfSystem ? `${prefix.replace(/usr\/local\/$/, "")}usr/` : storeOf(prefix),
      version: short === "" ? undefined : (ofProgram ?? version ?? short),
      values: new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))),
    };
  };
  return (packageDb) => {
    const [key = ""] = packageFolder.exec(packageDb) ?? [];
    const found = known.get(key) ?? make(packageDb);
    known.set(key, found);
    return found;
  };
}

/** What Linux calls the processors that distributions call otherwise. @see https://docs.python.org/3/library/platform.html#platform.machine */
const machines: ReadonlyMap<string, string> = new Map([
  ["amd64", "x86_64"],
  ["arm64", "aarch64"],
  ["armhf", "armv7l"],
  ["armv7", "armv7l"],
  ["armv7hl", "armv7l"],
  ["i386", "i686"],
  ["ppc64el", "ppc64le"],
  ["x86", "i686"],
]);

/** The processor of the image, by the packages of its distribution; undefined without any. */
function machineOf({ packagesIn }: Image): string | undefined {
  const arch = ["dpkg", "rpm", "apk", "pacman"]
    .map((name) => nativeArch(packagesIn(name)))
    .find((each) => each !== undefined);
  return arch === undefined ? undefined : (machines.get(arch) ?? arch);
}

/** Nix and Guix have each package in a folder of its own. */
function storeOf(prefix: string): string {
  return /^(?:gnu|nix)\/store\//.exec(prefix)?.[0] ?? prefix;
}

/** The version of Debian's `python3`, which uses packages in a folder without one: by its package, or else the only one of which there is a program or package. */
function debianVersion({ packagesIn }: Image, programs: readonly string[]): string | undefined {
  const packages = packagesIn("dpkg").filter(({ packageDb }) => packageDb.startsWith("var/lib/dpkg/"));
  const own = packages.find(({ package: { name } }) => name === "python3" || name === "python3-minimal");
  const stated = /^\d\.\d+/.exec(own?.package.version ?? "")?.[0];
  const named = [
    ...programs.map((place) => /^usr\/bin\/python(3\.\d+)$/.exec(place)?.[1]),
    ...packages.map(({ package: { name } }) => /^(?:lib)?python(3\.\d+)(?:-minimal|-stdlib)?$/.exec(name)?.[1]),
  ];
  const [only, ...others] = new Set(named.filter((each) => each !== undefined));
  return stated ?? (others.length === 0 ? only : undefined);
}

const record = /(?:^|\/|:)(?:[^/:]+\.(?:dist|egg)-info(?:\/[^/]+)?|[^/:]+\.egg[/:]EGG-INFO\/PKG-INFO)$/;

/** The folder that the folder of a package is in. */
function siteOf(packageDb: string): string {
  return packageDb.replace(record, "");
}

/** An archive that runs with the packages in it. */
function programOf(packageDb: string): string {
  return /^(.*\.(?:pex|pyzw?)):/.exec(packageDb)?.[1] ?? "";
}

/** Whether a package can import another: that of the same folder or environment. What a package has in its own folder is for it alone. */
function canImport(from: CoalescedPackage, found: CoalescedPackage, environmentOf: (packageDb: string) => Environment) {
  const [own, other] = [from.packageDb, found.packageDb];
  if (siteOf(own) === siteOf(other)) return true;
  if (programOf(own) !== programOf(other)) return false;
  const [folder] = packageFolder.exec(other) ?? [];
  if (folder !== undefined && `${siteOf(other)}/` !== folder) return siteOf(own).startsWith(`${siteOf(other)}/`);
  const [mine, its] = [environmentOf(own), environmentOf(other)];
  if (mine.root === undefined) return its.root === undefined || its.root.endsWith("usr/");
  if (its.root === undefined) return false;
  const base = baseOf(from);
  const ofBase = base && environmentOf(`${base}lib/python${mine.version}/site-packages/`).root;
  const isSeen =
    (ofBase !== undefined && its.root === ofBase) ||
    mine.root === its.root ||
    (mine.root.endsWith(".local/") && its.root === "usr/");
  const [one = "", two = ""] = [mine.version, its.version];
  return isSeen && (one === two || `${one}.`.startsWith(`${two}.`) || `${two}.`.startsWith(`${one}.`));
}

/** Stands among what a package may need if its virtual environment also has the packages of the installation in a folder: `(packages of usr/)`. */
const ofInstallation = /^\(packages of (.*)\)$/;

/** The folder of the installation whose packages a package of a virtual environment can use, too. */
function baseOf({ details }: CoalescedPackage): string | undefined {
  return details?.recommends?.map((each) => ofInstallation.exec(each)?.[1]).find((each) => each !== undefined);
}

/** Reads whether a virtual environment also has the packages of its installation. @see https://docs.python.org/3/library/site.html */
export const venvDetector: FileDetector = {
  name: "python-venv",
  revision: 1,
  names: { endings: ["pyvenv.cfg"] },
  wants: ({ path, sizeBytes }: FileEntry) => nameOf(path) === "pyvenv.cfg" && sizeBytes <= 64 * 1024,
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const pairs = decodeHead(bytes, 64 * 1024)
      .split("\n")
      .map((line) => line.split("=", 2).map((part) => part.trim()));
    const values = new Map(pairs.map(([name = "", value = ""]) => [name.toLowerCase(), value] as const));
    if (values.get("include-system-site-packages")?.toLowerCase() !== "true") return;
    const base = (normalizePath(values.get("home") ?? "") ?? "").replace(/bin$/, "");
    const details = packageDetails({ recommends: [`(packages of ${base})`] });
    if (details !== undefined) yield { kind: "details", path, of: path, details };
  },
};

/** The file that describes the virtual environment which a package is in. */
export function venvFileOf(packageDb: string): string {
  return `${packageFolder.exec(packageDb)?.[1] ?? ""}pyvenv.cfg`;
}

/** More extras of one package, and of all of an image, are not asked for by people. */
const [maxExtras, maxAsked] = [64, 100_000];

/**
 * Finds what packages of Python need, in the same environment. Markers are judged by the version of the interpreter in the name of the folder, or of that which uses
 * the folder. What an extra needs counts if another package asks for the extra; whether a user has chosen one is not known. What asks for anything else that is not known
 * is needed if it is there.
 */
export const pythonDependencies: DependencyResolver = (packages, image) => {
  const environmentOf = environmentFinder(image);
  const find = packageFinder(packages, {
    namesOf: ({ package: { name } }) => [normalizePypiName(name)],
    accepts: (found, _, from) => canImport(from, found, environmentOf),
  });
  const named = (need: string, from: CoalescedPackage) => {
    const [name] = /^[A-Za-z0-9][\w.-]*/.exec(need) ?? [];
    return name === undefined ? undefined : find({ name: normalizePypiName(name), need, from });
  };
  const chosen = new Map<CoalescedPackage, ReadonlySet<string>>();
  const truthOf = (need: string, from: CoalescedPackage) =>
    evaluateMarker(markerIn(need), {
      interpreter: environmentOf(from.packageDb).values,
      extras: chosen.get(from) ?? noExtras,
    });
  let left = maxAsked;
  const open = packages.filter(({ details }) => details?.requires?.some((need) => need.includes("[")));
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const need of from.details?.requires ?? []) {
      const asked = extrasIn(need);
      if (asked.length === 0 || left-- <= 0 || truthOf(need, from) === false) continue;
      const target = named(need, from);
      if (target === undefined) continue;
      const before = chosen.get(target) ?? noExtras;
      const after = new Set([...before, ...asked].slice(0, maxExtras));
      if (after.size === before.size) continue;
      chosen.set(target, after);
      open.push(target);
    }
  }
  return needsBy((need, from) => {
    const truth = truthOf(need, from);
    if (truth === false || !/^[A-Za-z0-9]/.test(need)) return undefined;
    const found = named(need, from);
    return { met: found === undefined ? [] : [found], isUncertain: truth === undefined };
  });
};

const noExtras: ReadonlySet<string> = new Set();

/** `socks` of `requests[socks]>=2; marker`. */
function extrasIn(need: string): readonly string[] {
  const [, names = ""] = /^[\w.-]+ {0,8}\[([^\]]*)\]/.exec(need) ?? [];
  return names
    .split(",")
    .map((each) => normalizePypiName(each.trim()))
    .filter((each) => each !== "");
}

type Fields = ReadonlyMap<string, readonly string[]>;

/** What is said exactly, with the classifiers that say something else. */
function besides(text: string, expression: string | undefined, stated: readonly LicenseStatement[]): LicenseStatement {
  const own = expression === undefined ? [] : licensesIn(expression);
  const others = stated.filter((each) => each.expression !== undefined && !own.includes(each.expression));
  if (others.length > 0) {
    const words = others.map((each) => each.text).join(", ");
    return { text: `${text} (classifiers: ${words})`, expression: expression ?? licenseReference(text) };
  }
  return { text, expression: expression === text ? undefined : expression };
}

/** The expression, else the field that is exact; else exact classifiers, which say more than free text. */
function statedLicenses(fields: Fields, lines: readonly string[]): readonly LicenseStatement[] {
  const [expression] = fields.get("license-expression") ?? [];
  const classifiers = (fields.get("classifier") ?? []).filter((each) => each.startsWith("License :: ")).map(nameIn);
  const stated = classifiers
    .filter((text) => text !== "OSI Approved") // which says nothing if another says more
    .map((text) => ({ text, expression: byClassifier.get(text) }));
  const [text] = (fields.get("license") ?? []).filter((each) => !saysNothing.test(each));
  const exact = expression ?? text ?? "";
  const named = knownLicense(exact);
  if (expression !== undefined || named !== undefined) return [besides(exact, named, stated)];
  const isExact = stated.length > 0 && stated.every((each) => each.expression !== undefined);
  if (text === undefined || isExact) return stated;
  if (namesFile.test(text)) {
    const ofPackage = ["name", "version"].map((name) => fields.get(name)?.[0] ?? "").join(" ");
    return stated.length > 0 ? stated : [{ text, expression: licenseReference(text, ofPackage) }];
  }
  const [whole = text] = readHeaderLists(lines, wholeFields).get("license") ?? [];
  return whole !== text && stated.length > 0 ? stated : [{ text: whole }]; // the text of a licence has no name
}

/** What old tools write for a field that is not filled, and people. */
const saysNothing = /^(?:unknown|none|n\/?a|null|other|license|licence|see license|\W*)$/i;
/** A text that is only in a file of the package. */
const namesFile = /^(?:(?:see |the |file:? ){0,2}licen[cs]e(?: file|\.(?:md|rst|txt))\.?|file:? ?licen[cs]e)$/i;
const wholeFields: ReadonlySet<string> = new Set(["license"]);

/** `MIT License` of `License :: OSI Approved :: MIT License`. */
function nameIn(classifier: string): string {
  return classifier.slice(classifier.lastIndexOf(" :: ") + 4);
}

/** The classifiers that stand for one licence. @see https://peps.python.org/pep-0639/appendix-mapping-classifiers/ */
const byClassifier: ReadonlyMap<string, string> = new Map([
  ["Apache Software License 2.0", "Apache-2.0"],
  ["Boost Software License 1.0 (BSL-1.0)", "BSL-1.0"],
  ["CC0 1.0 Universal (CC0 1.0) Public Domain Dedication", "CC0-1.0"],
  ["Eclipse Public License 1.0 (EPL-1.0)", "EPL-1.0"],
  ["Eclipse Public License 2.0 (EPL-2.0)", "EPL-2.0"],
  ["European Union Public Licence 1.1 (EUPL 1.1)", "EUPL-1.1"],
  ["European Union Public Licence 1.2 (EUPL 1.2)", "EUPL-1.2"],
  ["GNU Affero General Public License v3", "AGPL-3.0-only"],
  ["GNU Affero General Public License v3 or later (AGPLv3+)", "AGPL-3.0-or-later"],
  ["GNU General Public License v2 (GPLv2)", "GPL-2.0-only"],
  ["GNU General Public License v2 or later (GPLv2+)", "GPL-2.0-or-later"],
  ["GNU General Public License v3 (GPLv3)", "GPL-3.0-only"],
  ["GNU General Public License v3 or later (GPLv3+)", "GPL-3.0-or-later"],
  ["GNU Lesser General Public License v2 (LGPLv2)", "LGPL-2.0-only"],
  ["GNU Lesser General Public License v2 or later (LGPLv2+)", "LGPL-2.0-or-later"],
  ["GNU Lesser General Public License v3 (LGPLv3)", "LGPL-3.0-only"],
  ["GNU Lesser General Public License v3 or later (LGPLv3+)", "LGPL-3.0-or-later"],
  ["Historical Permission Notice and Disclaimer (HPND)", "HPND"],
  ["ISC License (ISCL)", "ISC"],
  ["MIT License", "MIT"],
  ["MIT No Attribution License (MIT-0)", "MIT-0"],
  ["Mozilla Public License 1.1 (MPL 1.1)", "MPL-1.1"],
  ["Mozilla Public License 2.0 (MPL 2.0)", "MPL-2.0"],
  ["The Unlicense (Unlicense)", "Unlicense"],
  ["Universal Permissive License (UPL)", "UPL-1.0"],
]);

/** `Name <mail>` of the two fields; a field may have both. */
function personIn(fields: Fields, role: "author" | "maintainer"): string | undefined {
  const [name] = fields.get(role) ?? [];
  const [email] = fields.get(`${role}-email`) ?? [];
  if (name === undefined || email === undefined) return name ?? email;
  return email.includes("<") ? email : `${name} <${email}>`;
}

/** `Label, address` of a `Project-URL`. */
function labelled(text: string): readonly [string, string] {
  const comma = text.indexOf(",");
  return [text.slice(0, Math.max(0, comma)).trim().toLowerCase(), text.slice(comma + 1).trim()];
}
