import { licenseAt } from "./license-address.ts";
import { spdxExpression } from "./spdx-expression.ts";

/** Longer texts are no titles. */
const maxTitle = 128;

/**
 * The SPDX expression of a licence by its title, which has to say its version: `The Apache License, Version 2.0`, `ASL 2.0`, `GNU GPL v3 or later`. Undefined for any other text, and for titles that
 * several licences have: `BSD`. An abbreviation in brackets after the title must not say something else.
 *
 * ```
 * title  = ["the"] words [version] ["only" | "or later" | "+"] ["(" title ")"]
 * ```
 * @example
 * licenseTitled("The Apache License, Version 2.0"); // "Apache-2.0"
 */
export function licenseTitled(title: string): string | undefined {
  if (title.length > maxTitle || /[<>=|*]/.test(title)) return undefined; // a condition of versions is no version, and a `*` is the mark of a guess
  const [, before, inner] = /^([^()]+)\(([^()]+)\)\W*$/.exec(title) ?? [];
  const whole = idOf(title);
  if (whole !== undefined || before === undefined || inner === undefined) return whole;
  const [found, same] = [idOf(before), idOf(inner) ?? spdxExpression(inner) ?? licenseAt(inner)];
  return same === found || (same === undefined && abbreviation.test(inner)) ? found : undefined;
}

/** `AFL`, `BSL-1.0`; other words in brackets may change what a title means. */
const abbreviation = /^[A-Z][A-Z\d]{1,7}(?:[ -]?v?\d[\d.]*)?\+?$/;

function idOf(title: string): string | undefined {
  if (/\bonly\b/i.test(title) && /\b(?:later|newer)\b|\+/i.test(title)) return undefined;
  const key = keyOf(title);
  return byTitle.get(key) ?? gnuLicense(key) ?? creativeCommons(key);
}

/** Words in lower case, without those that all licences have; versions as `2.0`, and with `+` if later ones may be used. */
function keyOf(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/^bsd-?(?=[234]$)/, "bsd clause ")
    .replace(/\((?:asl|cddl|cpl|epl|mpl|(?:gnu )?[al]?gpl)\)/g, " ")
    .replace(/\b(?:or )?(?:\(at your option\) )?(?:any )?(?:later|newer)(?: versions?)?\b/g, "+")
    .replace(/(?<=[a-z])v?-?(?=\d)/g, " ")
    .replace(/[^a-z0-9.+]+/g, " ")
    .split(" ")
    .filter((word) => word !== "" && !fillers.has(word));
  const numbered = words.map((word) => word.replace(/^v?\.?(\d{1,2})(?:\.0)*(\+?)$/, "$1.0$2").replace(/\.$/, ""));
  return numbered.join(" ").replace(/ \+/g, "+");
}

const fillers: ReadonlySet<string> = new Set(["the", "a", "license", "licence", "version", "v", "v.", "ver", "only"]);

/** By {@link keyOf}. */
const byTitle: ReadonlyMap<string, string> = new Map([
  ["0bsd", "0BSD"],
  ["academic free 2.1", "AFL-2.1"],
  ["academic free 3.0", "AFL-3.0"],
  ["apache 1.1", "Apache-1.1"],
  ["apache 2.0", "Apache-2.0"],
  ["apache public 2.0", "Apache-2.0"],
  ["apache software 1.1", "Apache-1.1"],
  ["apache software 2.0", "Apache-2.0"],
  ["apache software foundation 2.0", "Apache-2.0"],
  ["artistic 2.0", "Artistic-2.0"],
  ["asf 2.0", "Apache-2.0"],
  ["asl 1.1", "Apache-1.1"],
  ["asl 2.0", "Apache-2.0"],
  ["boost 1.0", "BSL-1.0"],
  ["boost software 1.0", "BSL-1.0"],
  ["bsd clause 2.0", "BSD-2-Clause"],
  ["bsd clause 3.0", "BSD-3-Clause"],
  ["bsd clause 4.0", "BSD-4-Clause"],
  ["bsd 2.0 clause", "BSD-2-Clause"],
  ["bsd 2.0 clause simplified", "BSD-2-Clause"],
  ["2.0 clause bsd", "BSD-2-Clause"],
  ["simplified bsd", "BSD-2-Clause"],
  ["bsd simplified", "BSD-2-Clause"],
  ["bsd 3.0 clause", "BSD-3-Clause"],
  ["bsd 3.0 clause new or revised", "BSD-3-Clause"],
  ["3.0 clause bsd", "BSD-3-Clause"],
  ["modified bsd", "BSD-3-Clause"],
  ["new bsd", "BSD-3-Clause"],
  ["bsd new", "BSD-3-Clause"],
  ["revised bsd", "BSD-3-Clause"],
  ["bsd 4.0 clause", "BSD-4-Clause"],
  ["4.0 clause bsd", "BSD-4-Clause"],
  ["bsd zero clause", "0BSD"],
  ["cc 0.0", "CC0-1.0"],
  ["cc 0.0 1.0", "CC0-1.0"],
  ["cc 0.0 1.0 universal", "CC0-1.0"],
  ["cc 0.0 1.0 universal public domain dedication", "CC0-1.0"],
  ["cc 0.0 1.0 universal cc 0.0 1.0 public domain dedication", "CC0-1.0"],
  ["cddl 1.0", "CDDL-1.0"],
  ["cddl 1.1", "CDDL-1.1"],
  ["common development and distribution 1.0", "CDDL-1.0"],
  ["common development and distribution 1.1", "CDDL-1.1"],
  ["common public 1.0", "CPL-1.0"],
  ["cpl 1.0", "CPL-1.0"],
  ["creative commons zero 1.0 universal", "CC0-1.0"],
  ["eclipse distribution 1.0", "BSD-3-Clause"],
  ["edl 1.0", "BSD-3-Clause"],
  ["eclipse public 1.0", "EPL-1.0"],
  ["eclipse public 2.0", "EPL-2.0"],
  ["epl 1.0", "EPL-1.0"],
  ["epl 2.0", "EPL-2.0"],
  ["eupl 1.1", "EUPL-1.1"],
  ["eupl 1.2", "EUPL-1.2"],
  ["european union public 1.1", "EUPL-1.1"],
  ["european union public 1.2", "EUPL-1.2"],
  ["expat", "MIT"],
  ["historical permission notice and disclaimer", "HPND"],
  ["isc", "ISC"],
  ["microsoft public", "MS-PL"],
  ["microsoft reciprocal", "MS-RL"],
  ["mit", "MIT"],
  ["mit mit", "MIT"],
  ["mit 0.0", "MIT-0"],
  ["mit no attribution", "MIT-0"],
  ["mozilla public 1.0", "MPL-1.0"],
  ["mozilla public 1.1", "MPL-1.1"],
  ["mozilla public 2.0", "MPL-2.0"],
  ["mpl 1.0", "MPL-1.0"],
  ["mpl 1.1", "MPL-1.1"],
  ["mpl 2.0", "MPL-2.0"],
  ["ofl 1.1", "OFL-1.1"],
  ["open software 3.0", "OSL-3.0"],
  ["osl 3.0", "OSL-3.0"],
  ["psf 2.0", "PSF-2.0"],
  ["python software foundation 2.0", "PSF-2.0"],
  ["sil ofl 1.1", "OFL-1.1"],
  ["sil open font 1.1", "OFL-1.1"],
  ["universal permissive", "UPL-1.0"],
  ["universal permissive 1.0", "UPL-1.0"],
  ["unlicense", "Unlicense"],
  ["upl 1.0", "UPL-1.0"],
  ["zlib", "Zlib"],
]);

const gnuNames: ReadonlyMap<string, string> = new Map([
  ["affero general public", "AGPL"],
  ["affero gpl", "AGPL"],
  ["agpl", "AGPL"],
  ["fdl", "GFDL"],
  ["free documentation", "GFDL"],
  ["general public", "GPL"],
  ["gfdl", "GFDL"],
  ["gpl", "GPL"],
  ["lesser general public", "LGPL"],
  ["lesser gpl", "LGPL"],
  ["lgpl", "LGPL"],
  ["library general public", "LGPL"],
  ["library or lesser general public", "LGPL"],
]);

/** `gnu general public 2.0 with classpath exception` */
const gnuTitle =
  /^(?:gnu )?([a-z ]{3,40}) (\d\.\d)(\+?)(?: gpl 2\.0)?( with(?: the)? (?:gnu )?classpath exception(?: 2\.0)?| w cpe)?$/;

function gnuLicense(key: string): string | undefined {
  const [, name = "", version = "", later = "", classpath] = gnuTitle.exec(key) ?? [];
  const family = gnuNames.get(name);
  if (family === undefined) return undefined;
  const exception = classpath === undefined ? "" : " WITH Classpath-exception-2.0";
  return onList(`${family}-${version}-${later === "" ? "only" : "or-later"}${exception}`);
}

const creativeCommonsTitle =
  /^(?:cc|creative commons)((?: (?:by|nc|nd|sa|attribution|noncommercial|non commercial|noderivatives|no derivatives|sharealike|share alike)){1,4}) (\d\.\d)(?: (?:international|unported|generic))?$/;

/** `creative commons attribution sharealike 4.0 international` */
function creativeCommons(key: string): string | undefined {
  const [, terms = "", version = ""] = creativeCommonsTitle.exec(key) ?? [];
  if (version === "") return undefined;
  const short = terms
    .trim()
    .replace(/attribution/g, "BY")
    .replace(/non ?commercial/g, "NC")
    .replace(/no ?derivatives/g, "ND")
    .replace(/share ?alike/g, "SA");
  return onList(`CC-${short.toUpperCase().replaceAll(" ", "-")}-${version}`);
}

function onList(id: string): string | undefined {
  const found = spdxExpression(id);
  return found === undefined || found.startsWith("LicenseRef-") ? undefined : found;
}
