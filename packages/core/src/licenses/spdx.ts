import exceptions from "spdx-exceptions/index.json" with { type: "json" };
import parse from "spdx-expression-parse";
import deprecatedIds from "spdx-license-ids/deprecated.json" with { type: "json" };
import currentIds from "spdx-license-ids/index.json" with { type: "json" };
import type { IndexReport } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import type { LicenseStatement, PackageDetails } from "../model/package-details.ts";
import { licenseReference } from "./license-reference.ts";

/** The identifiers of the SPDX list by their lower case: identifiers are compared without regard to case. */
const ids = new Map([...deprecatedIds, ...currentIds, ...exceptions].map((id) => [id.toLowerCase(), id]));

/** Longer texts are no expressions but licences. */
const maxExpression = 4096;

/**
 * An SPDX licence expression, with identifiers and operators in the case of the specification; undefined for text that is none.
 * @see https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 * @example
 * spdxExpression("mit or apache-2.0"); // "MIT OR Apache-2.0"
 * spdxExpression("GPL"); // undefined: no version is stated
 */
export function spdxExpression(text: string): string | undefined {
  if (text.length > maxExpression || /DocumentRef-/i.test(text)) return undefined; // what another document defines is not known here
  const written = text.trim().replace(/[A-Za-z0-9][\w.-]*/g, (word) => ids.get(word.toLowerCase()) ?? operatorOf(word));
  try {
    return formatExpression(parse(written));
  } catch {
    return undefined;
  }
}

/**
 * Names of licences in the notation of a packaging system, with `and`, `or`, brackets and, as Debian has it, commas before them: the SPDX expression of
 * those that are known, and references for the others. Undefined for text that is not so.
 * @param named the SPDX expression of a name; undefined if it has none
 * @example
 * licenseNames("Expat or Artistic, and GPL-3", (name) => known.get(name)); // "(MIT OR Artistic-1.0-Perl) AND GPL-3.0-only"
 */
export function licenseNames(text: string, named: (name: string) => string | undefined): string | undefined {
  if (text.length > maxExpression) return undefined;
  const words = grouped(text.replace(/\s+/g, " "))
    .split(/( and | or |[()])/i)
    .map((part) => {
      const word = part.trim();
      if (/^(?:and|or)$/i.test(word)) return ` ${word.toUpperCase()} `;
      if (word === "" || word === "(" || word === ")") return word;
      const known = named(word) ?? licenseReference(word);
      return / (?:AND|OR) /.test(known) ? `(${known})` : known;
    });
  return spdxExpression(words.join(""));
}

/** An expression in the notation of SPDX of which some names are not on the list: these become references. Undefined for other text. */
function mixedExpression(text: string): string | undefined {
  const isMarked = / (?:AND|OR) /.test(text) || /^\(.*\)$/s.test(text.trim());
  const parts = text.split(/ (?:and|or) /i);
  if (!isMarked || parts.length < 2 || !parts.every((part) => /^[\s(]*[\w.+:-]+(?: with [\w.+-]+)?[\s)]*$/i.test(part)))
    return undefined;
  return licenseNames(text, spdxExpression);
}

/** The SPDX expression of a statement; names that are not on the list are references in it. */
function expressionOf({ text, expression }: LicenseStatement): string {
  return spdxExpression(expression ?? text) ?? mixedExpression(text) ?? licenseReference(text);
}

/** Licences of which the user may choose one, as one statement. */
export function licenseChoice(licenses: readonly LicenseStatement[]): readonly LicenseStatement[] {
  const stated = licenses.filter(({ text }) => text.trim() !== "");
  if (stated.length < 2) return stated;
  const text = stated.map((each) => each.text).join(" OR ");
  const expression = stated
    .map(expressionOf)
    .map((each) => (/ (?:AND|OR) /.test(each) ? `(${each})` : each))
    .join(" OR ");
  return [{ text, expression: spdxExpression(text) === expression ? undefined : expression }];
}

/** `A or B, and C` as `(A or B) and C`. */
function grouped(text: string): string {
  const comma = text.search(/, (?:and|or) /i);
  return comma < 0 ? text : `(${text.slice(0, comma)})${text.slice(comma + 1)}`;
}

/** Whether a test passes for a licence of the SPDX list or for one of them with an exception, by their identifiers. */
export function someLicense(passes: (license: string) => boolean): boolean {
  const all = [...currentIds, ...deprecatedIds];
  return all.some(passes) || currentIds.some((id) => exceptions.some((exception) => passes(`${id} WITH ${exception}`)));
}

/** The licences of an expression, each with its exception: `GPL-2.0-only WITH Classpath-exception-2.0`. */
function licensesIn(expression: string): readonly string[] {
  const found = new Set<string>();
  collect(parse(expression), found);
  return [...found];
}

/** Whether a user can keep to an expression with only licences that pass a test: all that `AND` joins, and one of those that `OR` joins. */
export function licensesSatisfy(expression: string, passes: (license: string) => boolean): boolean {
  const satisfy = (parsed: parse.Info): boolean => {
    if (!("conjunction" in parsed)) return passes(formatLicense(parsed));
    const { conjunction, left, right } = parsed;
    return conjunction === "and" ? satisfy(left) && satisfy(right) : satisfy(left) || satisfy(right);
  };
  return satisfy(parse(expression));
}

/** The licences of a package as one SPDX expression, and the names in it that are not on the SPDX list. */
export interface LicenseSummary {
  /** All that are stated, joined by `AND`; a licence that is not on the list is `LicenseRef-…`. */
  readonly expression: string;
  /** Those of the expression, each once, with its exception. */
  readonly licenses: readonly string[];
  /** What the texts with these references say. */
  readonly references: readonly { readonly id: string; readonly statement: LicenseStatement }[];
}

/** The names by which rules and questions find a licence: its own and, with an exception, that of the licence before it. */
export function namesOfLicense(license: string): readonly string[] {
  const [base = license] = license.split(" WITH ", 1);
  return base === license ? [license] : [license, base];
}

/** A package of a report, and what is stated about its licence. */
export interface StatedLicense {
  readonly package: Package;
  /** Undefined if nothing is stated. */
  readonly summary: LicenseSummary | undefined;
  /** What the files say, in their own words, with their paths in the image. */
  readonly statements: readonly { readonly text: string; readonly path: string }[];
}

/** The packages of a report with their licences. */
export function* licensedPackages({ packages, environments, details = {} }: IndexReport): Iterable<StatedLicense> {
  for (const found of Object.values(packages)) {
    const own = details[found.id] ?? {};
    const record = environments[found.id]?.[0]?.packageDb ?? "";
    const statements = (own.licenses ?? []).map(({ text, path = record }) => ({ text, path }));
    yield { package: found, summary: summarizeLicenses(own), statements };
  }
}

/** Sums up what is stated about the licence of a package; undefined where nothing is. */
export function summarizeLicenses({ licenses = [] }: PackageDetails): LicenseSummary | undefined {
  const references = new Map<string, LicenseStatement>();
  const all = new Set<string>();
  const parts = licenses.map((statement) => {
    const expression = expressionOf(statement);
    const own = licensesIn(expression);
    for (const id of own) all.add(id);
    for (const id of own)
      if (id.startsWith("LicenseRef-")) references.set(id, { ...statement, text: namedBy(id, statement.text) });
    return expression;
  });
  const distinct = [...new Set(parts.flatMap((part) => (/ OR /.test(part) ? [part] : part.split(" AND "))))];
  if (distinct.length === 0) return undefined;
  const several = distinct.length > 1;
  const expression = distinct.map((part) => (several && / OR /.test(part) ? `(${part})` : part)).join(" AND ");
  return { expression, licenses: [...all], references: [...references].map(([id, statement]) => ({ id, statement })) };
}

/** The part of a statement for which a reference stands; all of it if no name in it has the reference. */
function namedBy(id: string, text: string): string {
  if (text.length > maxExpression || licenseReference(text) === id) return text;
  const parts = grouped(text).split(/ and | or |[()]/i);
  return parts.map((part) => part.trim()).find((part) => part !== "" && licenseReference(part) === id) ?? text;
}

/** The present identifiers of licences whose identifiers said the version, but not whether later ones may be used. */
const gnu = /^(?:AGPL|GFDL|GPL|LGPL)-\d\.\d$/;
/** Identifiers that had an exception in them. @see https://spdx.org/licenses/#deprecated */
const withException: Readonly<Record<string, string>> = {
  "GPL-2.0-with-autoconf-exception": "Autoconf-exception-2.0",
  "GPL-2.0-with-bison-exception": "Bison-exception-2.2",
  "GPL-2.0-with-classpath-exception": "Classpath-exception-2.0",
  "GPL-2.0-with-font-exception": "Font-exception-2.0",
  "GPL-2.0-with-GCC-exception": "GCC-exception-2.0",
  "GPL-3.0-with-autoconf-exception": "Autoconf-exception-3.0",
  "GPL-3.0-with-GCC-exception": "GCC-exception-3.1",
};

/** A licence by its present identifier. */
function present({ license, plus, exception }: parse.LicenseInfo): parse.LicenseInfo {
  const former = withException[license];
  if (former !== undefined) return present({ license: license.slice(0, "GPL-2.0".length), plus, exception: former });
  return gnu.test(license)
    ? { license: `${license}-${plus === true ? "or-later" : "only"}`, exception }
    : { license, plus, exception };
}

function operatorOf(word: string): string {
  const upper = word.toUpperCase();
  return upper === "AND" || upper === "OR" || upper === "WITH" ? upper : word;
}

function formatExpression(parsed: parse.Info): string {
  if (!("conjunction" in parsed)) return formatLicense(parsed);
  const { conjunction, left, right } = parsed;
  const side = (each: parse.Info) => {
    const text = formatExpression(each);
    return conjunction === "and" && "conjunction" in each && each.conjunction === "or" ? `(${text})` : text;
  };
  return `${side(left)} ${conjunction.toUpperCase()} ${side(right)}`;
}

function formatLicense(stated: parse.LicenseInfo): string {
  const { license, plus, exception } = present(stated);
  return `${license}${plus === true ? "+" : ""}${exception === undefined ? "" : ` WITH ${exception}`}`;
}

function collect(parsed: parse.Info, found: Set<string>): void {
  if ("conjunction" in parsed) {
    collect(parsed.left, found);
    collect(parsed.right, found);
  } else found.add(formatLicense(parsed));
}
