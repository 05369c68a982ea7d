import parse from "spdx-expression-parse";
import deprecatedIds from "spdx-license-ids/deprecated.json" with { type: "json" };
import currentIds from "spdx-license-ids/index.json" with { type: "json" };
import type { LicenseStatement, PackageDetails } from "../model/package-details.ts";
import { licenseReference } from "./license-reference.ts";

/** The identifiers of the SPDX list by their lower case: identifiers are compared without regard to case. */
const ids = new Map([...deprecatedIds, ...currentIds].map((id) => [id.toLowerCase(), id]));

/** Longer texts are no expressions but licences. */
const maxExpression = 512;

/**
 * An SPDX licence expression, with identifiers and operators in the case of the specification; undefined for text that is none.
 * @see https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 * @example
 * spdxExpression("mit or apache-2.0"); // "MIT OR Apache-2.0"
 * spdxExpression("GPL"); // undefined: no version is stated
 */
export function spdxExpression(text: string): string | undefined {
  if (text.length > maxExpression) return undefined;
  const written = text.trim().replace(/[A-Za-z0-9][\w.-]*/g, (word) => ids.get(word.toLowerCase()) ?? operatorOf(word));
  try {
    return formatExpression(parse(written));
  } catch {
    return undefined;
  }
}

/** The licences of an expression, each with its exception: `GPL-2.0-only WITH Classpath-exception-2.0`. */
export function licensesIn(expression: string): readonly string[] {
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
  /** What the texts with these references say. */
  readonly references: readonly { readonly id: string; readonly statement: LicenseStatement }[];
}

/** Sums up what is stated about the licence of a package; undefined where nothing is. */
export function summarizeLicenses({ licenses = [] }: PackageDetails): LicenseSummary | undefined {
  const references = new Map<string, LicenseStatement>();
  const parts = licenses.map((statement) => {
    const expression = spdxExpression(statement.expression ?? statement.text) ?? licenseReference(statement.text);
    for (const id of licensesIn(expression)) if (id.startsWith("LicenseRef-")) references.set(id, statement);
    return expression;
  });
  const distinct = [...new Set(parts.flatMap((part) => (/ OR /.test(part) ? [part] : part.split(" AND "))))];
  if (distinct.length === 0) return undefined;
  const several = distinct.length > 1;
  const expression = distinct.map((part) => (several && / OR /.test(part) ? `(${part})` : part)).join(" AND ");
  return { expression, references: [...references].map(([id, statement]) => ({ id, statement })) };
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

function formatLicense({ license, plus, exception }: parse.LicenseInfo): string {
  return `${license}${plus === true ? "+" : ""}${exception === undefined ? "" : ` WITH ${exception}`}`;
}

function collect(parsed: parse.Info, found: Set<string>): void {
  if ("conjunction" in parsed) {
    collect(parsed.left, found);
    collect(parsed.right, found);
  } else found.add(formatLicense(parsed));
}
