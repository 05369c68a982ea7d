import type { IndexReport } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import type { LicenseStatement, PackageDetails } from "../model/package-details.ts";
import { licenseAt } from "./license-address.ts";
import { licenseReference } from "./license-reference.ts";
import { licenseTitled } from "./license-title.ts";
import { licensesIn, maxExpression, spdxExpression } from "./spdx-expression.ts";

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

/** People name no more licences by their titles. */
const maxTitles = 16;

/** An expression in the notation of SPDX of which some names are not on the list: these become references. Undefined for other text. */
function mixedExpression(text: string): string | undefined {
  const isMarked = / (?:AND|OR) /.test(text) || /^\(.*\)$/s.test(text.trim());
  const parts = text.split(/ (?:and|or) /i);
  const isKnown = (part: string) => knownLicense(part.replaceAll(/[()]/g, "").trim()) !== undefined;
  if (parts.length > 1 && parts.length <= maxTitles && parts.every(isKnown)) return licenseNames(text, knownLicense);
  if (!isMarked || parts.length < 2 || !parts.every((part) => /^[\s(]*[\w.+:-]+(?: with [\w.+-]+)?[\s)]*$/i.test(part)))
    return undefined;
  return licenseNames(text, knownLicense);
}

/**
 * The SPDX expression that a name of a licence stands for in all packaging systems: one of the list, a title that says its version, or the address where its owner publishes the text.
 * Undefined for any other name.
 */
export function knownLicense(name: string): string | undefined {
  return spdxExpression(name) ?? licenseTitled(name) ?? licenseAt(name);
}

/** The SPDX expression of a statement; names that are not known are references in it. */
export function expressionOf({ text, expression }: LicenseStatement): string {
  return (
    spdxExpression(expression ?? text) ??
    licenseTitled(text) ??
    licenseAt(text) ??
    mixedExpression(text) ??
    licenseReference(text)
  );
}

/** The statements of an expression that is too long for one: what `AND` joins in it. Any other is one statement. */
export function statementsOf(expression: string): readonly string[] {
  if (expression.length <= maxExpression) return [expression];
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: word, index } of expression.matchAll(/[()]| (?:AND|OR) /g)) {
    if (word === "(") depth++;
    else if (word === ")") depth--;
    else if (depth === 0 && word === " OR ") return [expression];
    else if (depth === 0) {
      parts.push(expression.slice(from, index));
      from = index + word.length;
    }
  }
  return [...parts, expression.slice(from)].map((part) => part.replace(/^\((.*)\)$/s, "$1"));
}

/** Licences of which the user may choose one, as one statement. */
export function licenseChoice(licenses: readonly LicenseStatement[]): readonly LicenseStatement[] {
  const named = licenses.filter(({ text }) => text.trim() !== "");
  const stated = [...new Map(named.map((each) => [expressionOf(each), each] as const)).values()];
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

/** The licences of a package as one SPDX expression, and the names in it that are not on the SPDX list. */
export interface LicenseSummary {
  /** All that are stated, joined by `AND`; a licence that is not on the list is `LicenseRef-…`. */
  readonly expression: string;
  /** Those of the expression, each once, with its exception. */
  readonly licenses: readonly string[];
  /** What the texts with these references say. */
  readonly references: readonly { readonly id: string; readonly statement: LicenseStatement }[];
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
  const names = parts.map((part) => part.trim()).filter((part) => part !== "");
  return names.find((name) => name === id || licenseReference(name) === id) ?? text;
}
