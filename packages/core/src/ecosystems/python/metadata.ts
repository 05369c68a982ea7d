import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";
import { normalizePypiName } from "../../model/package-name.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import type { Runtime } from "../../plugins/ecosystem.ts";
import { readHeaderFields, readHeaderLists } from "../language/header-fields.ts";
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
    licenses: licensesIn(fields),
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
const packageFolder = /^(.*?)lib(?:64)?\/python(\d(?:\.\d+)?)\/(?:site|dist)-packages\//;

/** The interpreter of a folder of packages is beside it; that of the folder for what an administrator installs is the system's. */
export const pythonRuntime: Runtime = {
  program: "python",
  placesFor(packageDb) {
    const [, prefix = "", version] = packageFolder.exec(packageDb) ?? [];
    if (version === undefined) return [];
    const prefixes = prefix === "usr/local/" ? [prefix, "usr/"] : [prefix];
    return prefixes.flatMap((each) => [`${each}bin/python${version}`, `${each}lib/libpython${version}.so.1.0`]);
  },
};

/**
 * Finds what packages of Python need, in the same folder of packages if it is there. Markers are judged by the version of the interpreter in the name of the folder, or in that
 * to which the name of the interpreter leads. What asks for an extra is left out: whether one was chosen is not known. What asks for anything else that is not known
 * is needed if it is there.
 */
export const pythonDependencies: DependencyResolver = (packages, image) => {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const programs = new Map(image.packagesIn("known-programs").map((each) => [each.packageDb, each.package]));
  const interpreterOf = ({ packageDb }: CoalescedPackage) => {
    const [, prefix = "", version = ""] = packageFolder.exec(packageDb) ?? [];
    const key = `${prefix} ${version}`;
    const found = known.get(key) ?? valuesOf(pythonRuntime.placesFor?.(packageDb) ?? []);
    known.set(key, found);
    return found;
  };
  const valuesOf = (places: readonly string[]) => {
    const ends = [...places, ...places.map((place) => image.resolve(place))];
    const whole = ends.map((place) => programs.get(place)).find((each) => each?.name === "python")?.version;
    const short = ends.map((place) => /python(\d\.\d+)/.exec(place)?.[1]).find((each) => each !== undefined);
    const stated = [
      ["extra", ""],
      ["python_version", /^\d\.\d+/.exec(whole ?? "")?.[0] ?? short],
      ["python_full_version", whole],
    ] as const;
    return new Map(stated.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  };
  const truthOf = (need: string, from: CoalescedPackage) =>
    evaluateMarker(markerIn(need), { interpreter: interpreterOf(from) });
  const byName = dependenciesByName({
    namesIn(need, from) {
      const [name] = /^[A-Za-z0-9][\w.-]*/.exec(need) ?? [];
      return name === undefined || truthOf(need, from) === false ? [] : [normalizePypiName(name)];
    },
    isUncertain: (need, from) => truthOf(need, from) === undefined,
    namesOf: ({ package: { name } }) => [normalizePypiName(name)],
  });
  return byName(packages, image);
};

type Fields = ReadonlyMap<string, readonly string[]>;

/** The expression; without one, the classifiers, which are more exact than the free text that else counts. */
function licensesIn(fields: Fields): readonly LicenseStatement[] {
  const [expression] = fields.get("license-expression") ?? [];
  if (expression !== undefined) return [{ text: expression }];
  const classifiers = (fields.get("classifier") ?? []).filter((each) => each.startsWith("License :: "));
  const stated = classifiers.map((text) => ({ text: nameIn(text), expression: byClassifier.get(nameIn(text)) }));
  const [text] = fields.get("license") ?? [];
  const isExact = stated.length > 0 && stated.every((each) => each.expression !== undefined);
  if (text === undefined || isExact) return stated;
  return [{ text }];
}

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
