import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";
import { normalizePypiName } from "../../model/package-name.ts";
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

/** What the metadata say about the package. */
export function metadataDetails(lines: readonly string[]): PackageDetails {
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
    ...needsIn(fields.get("requires-dist")),
  };
}

/**
 * What a marker about the interpreter or the processor asks for may not be needed by those of the image, so that it only is if it is there. Where no line
 * is, another file may have them, as in an egg.
 */
function needsIn(lines: readonly string[] | undefined): Pick<PackageDetails, "requires" | "recommends"> {
  const isConditional = (line: string) => ofInterpreter.test(markerIn(line));
  return { requires: lines?.filter((line) => !isConditional(line)), recommends: lines?.filter(isConditional) };
}

const ofInterpreter = /python_|implementation|platform_(?:machine|release|version)/;

function markerIn(need: string): string {
  const at = need.indexOf(";");
  return at < 0 ? "" : need.slice(at + 1);
}

/** The name in `requests[socks] (>=2.0); sys_platform == "linux"`; none where the marker does not hold, or is about an extra, which may not be chosen. */
function namesIn(need: string): readonly string[] {
  const [name] = /^[A-Za-z0-9][\w.-]*/.exec(need) ?? [];
  return name === undefined || evaluateMarker(markerIn(need)) !== true ? [] : [normalizePypiName(name)];
}

/** Finds what packages of Python need, in the same folder of packages if it is there. */
export const pythonDependencies = dependenciesByName({
  namesIn,
  namesOf: ({ package: { name } }) => [normalizePypiName(name)],
});

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
