import exceptions from "spdx-exceptions/index.json" with { type: "json" };
import parse from "spdx-expression-parse";
import deprecatedIds from "spdx-license-ids/deprecated.json" with { type: "json" };
import currentIds from "spdx-license-ids/index.json" with { type: "json" };

/** The identifiers of the SPDX list by their lower case: identifiers are compared without regard to case. */
const ids = new Map([...deprecatedIds, ...currentIds, ...exceptions].map((id) => [id.toLowerCase(), id]));

/** Most packages state one current identifier, which needs no parser. */
const oneLicense = new Map(currentIds.map((id) => [id.toLowerCase(), id]));

/** Longer texts are no expressions but licences. */
export const maxExpression = 4096;

/**
 * An SPDX licence expression, with identifiers and operators in the case of the specification; undefined for text that is none.
 * @see https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 * @example
 * spdxExpression("mit or apache-2.0"); // "MIT OR Apache-2.0"
 * spdxExpression("GPL"); // undefined: no version is stated
 */
export function spdxExpression(text: string): string | undefined {
  const one = oneLicense.get(text.trim().toLowerCase());
  if (one !== undefined) return one;
  if (text.length > maxExpression || /DocumentRef-/i.test(text)) return undefined; // what another document defines is not known here
  const written = text.trim().replace(/[A-Za-z0-9][\w.-]*/g, (word) => ids.get(word.toLowerCase()) ?? operatorOf(word));
  try {
    return formatExpression(parse(written));
  } catch {
    return undefined;
  }
}

/** Whether a test passes for a licence of the SPDX list or for one of them with an exception, by their identifiers. */
export function someLicense(passes: (license: string) => boolean): boolean {
  const all = [...currentIds, ...deprecatedIds];
  return all.some(passes) || currentIds.some((id) => exceptions.some((exception) => passes(`${id} WITH ${exception}`)));
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

/** The names by which rules and questions find a licence: its own, that of the licence before an exception, and that of one before a `+`. */
export function namesOfLicense(license: string): readonly string[] {
  const [base = license] = license.split(" WITH ", 1);
  return [...new Set([license, base, base.replace(/\+$/, "")])];
}

/**
 * What a user may choose in place of a licence of which later versions may be used: the same version alone, and all later ones of the list, with the same exception.
 * @example
 * choicesOf("GPL-2.0-or-later"); // ["GPL-2.0-only", "GPL-3.0-only", "GPL-3.0-or-later"]
 */
export function choicesOf(license: string): readonly string[] {
  const [base = "", exception] = license.split(" WITH ", 2);
  const [, family, version = ""] = /^(.+-)(\d+(?:\.\d+)*)(?:-or-later|\+)$/.exec(base) ?? [];
  if (family === undefined) return [];
  const versions = [...ids.values()].flatMap((id) => {
    const other = id.startsWith(family) ? id.slice(family.length) : "";
    return /^\d+(?:\.\d+)*$/.test(other) && compareNumbers(other, version) >= 0 ? [`${family}${other}`] : [];
  });
  const names = versions.flatMap((id) => (gnu.test(id) ? [`${id}-only`, `${id}-or-later`] : [id]));
  return names
    .filter((name) => name !== base)
    .map((name) => (exception === undefined ? name : `${name} WITH ${exception}`));
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
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

/** Identifiers that were replaced by others. @see https://spdx.org/licenses/#deprecated */
const replaced: Readonly<Record<string, parse.LicenseInfo>> = {
  "BSD-2-Clause-NetBSD": { license: "BSD-2-Clause" },
  "bzip2-1.0.5": { license: "bzip2-1.0.6" },
  "eCos-2.0": { license: "GPL-2.0-or-later", exception: "eCos-exception-2.0" },
  Nunit: { license: "zlib-acknowledgement" },
  "StandardML-NJ": { license: "SMLNJ" },
  wxWindows: { license: "LGPL-2.0-or-later", exception: "WxWindows-exception-3.1" },
};

/** A licence by its present identifier. */
function present({ license, plus, exception }: parse.LicenseInfo): parse.LicenseInfo {
  const other = replaced[license];
  if (other !== undefined && exception === undefined) return other;
  if (license.endsWith("-or-later")) return { license, exception };
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
