/**
 * The licences of a package of Debian, and who has the copyright: `usr/share/doc/PACKAGE/copyright`. In the machine-readable form it has stanzas with fields:
 *
 * ```
 * header  = "Format: …/copyright-format/1.0/" "Source: " address …
 * files   = "Files: …" "Copyright: " holders … "License: " names …                GPL-2+ or Artistic
 * names   = name {[","] ("and" | "or") name}              name = short name ["with" exception "exception"]
 * ```
 * Any other text names licences only by the places of their texts, `/usr/share/common-licenses/GPL-2`.
 *
 * @see https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
 */
import { pureHasher } from "../../bytes/pure-hasher.ts";
import { parentOf, targetPath } from "../../layer/paths.ts";
import { licenseReference } from "../../licenses/license-reference.ts";
import { knownLicense, licenseNames } from "../../licenses/spdx.ts";
import { spdxExpression } from "../../licenses/spdx-expression.ts";
import { type LicenseStatement, type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { FileDetector, FileEntry, LayerFile, LayerLink } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { ownText } from "../linux/text.ts";

const place = /^usr\/share\/doc\/([^/]+)\/copyright$/;
/** A package whose documents are those of another one of the same source has a link to its folder. @see https://www.debian.org/doc/debian-policy/ch-docs.html */
const folder = /^usr\/share\/doc\/([^/]+)$/;

/** The largest file that is read; that of a kernel has 200 KB, and of a web browser 2 MB. */
const maxBytes = 4 * 1024 ** 2;

/** Reads what the copyright file of a package says about its licences. */
export const copyrightDetector: FileDetector = {
  name: "dpkg-copyright",
  revision: 5,
  names: { endings: ["/copyright"] },
  wants: ({ path, sizeBytes }: FileEntry) => sizeBytes <= maxBytes && place.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const [, of] = place.exec(path) ?? [];
    const licenses = copyrightLicenses(bytes).map((each) => ({ ...each, path }));
    const details = packageDetails({ licenses, ...copyrightFields(bytes) });
    if (of !== undefined && details !== undefined) yield { kind: "details", path, of, details };
  },
  *links({ path, target }: LayerLink): Iterable<Finding> {
    const [form, of = ""] =
      [folder, place].map((each) => [each, each.exec(path)?.[1]] as const).find(([, name]) => name !== undefined) ?? [];
    if (form === undefined) return;
    const end = targetPath(parentOf(path), target);
    const like = form.exec(end)?.[1];
    if (like !== undefined) yield { kind: "details", path, of, like, details: {} };
    const [, common] = form === place ? (commonLicense.exec(end) ?? []) : [];
    if (common === undefined) return;
    yield { kind: "details", path, of, details: { licenses: [{ ...commonStatement(common), path }] } };
  },
};

/** The licences that a copyright file states; if it names none, its digest, by which equal files are known. */
export function copyrightLicenses(bytes: Uint8Array): readonly LicenseStatement[] {
  const text = linesOf(bytes.subarray(0, maxBytes));
  if (isMachineReadable(text)) {
    const names = licenseFields(text);
    if (names.length > 0)
      return names.map((each) => ({ text: ownText(each), expression: licenseNames(each, licenseNamed) }));
  }
  const common = commonLicenses(text).map(commonStatement);
  if (common.length > 0) return common;
  if (text.trim() === "") return [];
  const hasher = pureHasher("sha256");
  hasher.update(bytes);
  return [{ text: `copyright file sha256-${hasher.hex().slice(0, 16)}` }];
}

/** Where the texts of common licences are. */
const commonLicense = /^usr\/share\/common-licenses\/([A-Za-z][\w.-]{0,30}\w)$/;

function commonStatement(name: string): LicenseStatement {
  return { text: ownText(name), expression: commonExpression(name) };
}

/** The address of the sources and the holders of the copyright, where the file is machine-readable. */
function copyrightFields(bytes: Uint8Array): Pick<PackageDetails, "copyright" | "sourceAddress"> {
  const text = linesOf(bytes.subarray(0, maxCopyright));
  if (!isMachineReadable(text)) return {};
  const [header = "", ...stanzas] = text.split(/\n[ \t]*\n/);
  const holders = stanzas.filter((stanza) => /^Files:/im.test(stanza)).flatMap(holdersIn);
  const [, sourceAddress] = /^Source:[ \t]*(https?:\/\/[^\s<>"]{1,500})/im.exec(header) ?? [];
  return { copyright: [...new Set(holders)].join(", "), sourceAddress };
}

/** The text with the line ends of Unix. */
function linesOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
}

/** As much of a file is read for holders: those of all files of a large project are no use to a reader. */
const maxCopyright = 64 * 1024;

/** The lines of the field `Copyright`, which goes on in lines that begin with a blank. */
function holdersIn(stanza: string): readonly string[] {
  const lines = stanza.split("\n");
  const first = lines.findIndex((line) => /^Copyright:/i.test(line));
  if (first < 0) return [];
  const rest = lines.slice(first + 1);
  const end = rest.findIndex((line) => !/^[ \t]/.test(line));
  const own = lines[first]?.slice("Copyright:".length) ?? "";
  return [own, ...rest.slice(0, end < 0 ? rest.length : end)].map((line) => line.trim()).filter((line) => line !== "");
}

/** Also in the forms that were proposed before the first version, at several addresses, which may be on the next line. */
function isMachineReadable(text: string): boolean {
  const [, format = ""] = /^Format(?:-Specification)?:((?:.*\n[ \t])?.*)/im.exec(text.slice(0, 1024)) ?? [];
  return /copyright|\/dep-?5/i.test(format);
}

/**
 * The names in the fields `License` of the header, which is about the whole, and of stanzas about files, each once. Other stanzas only have the texts of licences. A name may be
 * on the next line; without any, the text is that of a licence.
 */
function licenseFields(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [index, stanza] of text.split(/\n[ \t]*\n/).entries()) {
    if (index > 0 && !/^Files:/im.test(stanza)) continue;
    const [, name = "", next = ""] = /^License:[ \t]*([^\n]*)(?:\n[ \t]([^\n]*))?/im.exec(stanza) ?? [];
    const stated = name.trim() || next.trim();
    if (stated !== "" && stated !== ".") found.add(stated);
  }
  return [...found];
}

function commonLicenses(text: string): readonly string[] {
  const names = Array.from(
    text.matchAll(/\/usr\/share\/common-licenses\/([A-Za-z][\w.-]{0,30}\w)/g),
    ([, name = ""]) => name,
  );
  return [...new Set(names)].sort();
}

/** The SPDX identifiers of short names, by their beginnings; the version follows. */
const families: ReadonlyMap<string, string> = new Map([
  ["agpl", "AGPL"],
  ["gfdl", "GFDL"],
  ["gpl", "GPL"],
  ["lgpl", "LGPL"],
]);

/** Short names of the format that differ from the SPDX identifier. `BSD-3-clause`, `Apache-2.0` and others are equal but for their case. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["artistic", "Artistic-1.0-Perl"],
  ["cc0", "CC0-1.0"],
  ["expat", "MIT"],
  ["perl", "GPL-1.0-or-later OR Artistic-1.0-Perl"],
  ["python", "Python-2.0"],
  ["w3c", "W3C"],
  ["zope-1.1", "ZPL-1.1"],
  ["zope-2.0", "ZPL-2.0"],
  ["zope-2.1", "ZPL-2.1"],
]);

/** The SPDX form of a text of `common-licenses`. Whether later versions of a GNU licence may be used is not in the name of the text. */
function commonExpression(name: string): string {
  return /^(?:[AL]?GPL|GFDL)/.test(name) ? licenseReference(name) : licenseNamed(name);
}

function licenseNamed(name: string): string {
  const lower = name.toLowerCase();
  const known = shortNames.get(lower);
  if (known !== undefined) return known;
  const [, family = "", number = "", later = ""] = /^([al]?gpl|gfdl)-(\d(?:\.\d)?)(?:\.0)?(\+?)$/.exec(lower) ?? [];
  const spdx = families.get(family);
  if (spdx !== undefined)
    return `${spdx}-${number.includes(".") ? number : `${number}.0`}-${later === "+" ? "or-later" : "only"}`;
  const free = /^gfdl-niv-(\d\.\d)(\+?)$/.exec(lower);
  if (free !== null) return `GFDL-${free[1]}-no-invariants-${free[2] === "+" ? "or-later" : "only"}`;
  const [, base = "", exception = ""] = /^(\S+) with (\S+)(?: exception)?$/i.exec(name) ?? [];
  if (exception !== "") return withException(base, exception) ?? licenseReference(name);
  const title = knownLicense(name);
  return title === undefined || (title === "MIT" && lower !== "expat license") || lower === "gfdl-niv"
    ? licenseReference(name)
    : title;
}

/** `GPL-2+ with Font exception`, which the format defines, and exceptions by their SPDX identifiers. */
function withException(base: string, exception: string): string | undefined {
  const id = exception.toLowerCase() === "font" ? "Font-exception-2.0" : exception;
  const license = licenseNamed(base);
  return license.startsWith("LicenseRef-") ? undefined : spdxExpression(`${license} WITH ${id}`);
}
