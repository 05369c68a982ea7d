import {
  choicesOf,
  licensedPackages,
  licensesSatisfy,
  namesOfLicense,
  someLicense,
  spdxExpression,
} from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import type { IndexedImage } from "@plimsoll/scanner";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import { licenseFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { imageName } from "../render/image-header.ts";
import { type LicensedPackage, type LicenseVerdict, licenseRenderers } from "../render/license-results.ts";
import { counted } from "../render/terminal-text.ts";
import { indexImages } from "./scan.ts";

/** The licences that packages may have. */
export interface LicenseRules {
  /** SPDX identifiers, with `*` for any characters. */
  readonly denyLicense?: readonly string[];
  /** The only ones that are allowed, if any are named. */
  readonly allowLicense?: readonly string[];
}

/** `plimsoll licenses SOURCE`: lists the licences that the packages of an image state, and judges them. */
export async function licenses(session: Session, word: string, rules: LicenseRules): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: licenseFormats, several: platform === "all" });
  const judge = judgeOf(rules);
  const images = await indexImages(session, word);
  const rows = images.flatMap((image) => packagesOf(image, judge));
  await writeResults(outputs, licenseRenderers(rows, { palette, images }), io);
  return gateOf(session, { images, rows, hasRules: judge !== undefined });
}

type Judge = (expression: string | undefined) => LicenseVerdict;

/** @throws UsageError for a pattern that no identifier has */
function judgeOf({ denyLicense = [], allowLicense = [] }: LicenseRules): Judge | undefined {
  if (denyLicense.length + allowLicense.length === 0) return undefined;
  const [isDenied, isAllowed] = [matcherOf("--deny-license", denyLicense), matcherOf("--allow-license", allowLicense)];
  const mayBeAllowed = (license: string) => isAllowed(license) || choicesOf(license).some(isAllowed);
  const isKept = (license: string) => !isDenied(license) && (allowLicense.length === 0 || mayBeAllowed(license));
  const isNamed = (license: string) => isDenied(license) || isAllowed(license);
  return (expression) => {
    if (expression === undefined) return "unknown";
    if (licensesSatisfy(expression, (license) => isKept(license) && (isSpdx(license) || isNamed(license))))
      return "kept";
    return licensesSatisfy(expression, (license) => isKept(license) || (!isSpdx(license) && !isNamed(license)))
      ? "unknown"
      : "broken";
  };
}

/** Whether an identifier is on the SPDX list: any other only repeats the package's own words. */
function isSpdx(license: string): boolean {
  return !license.startsWith("LicenseRef-");
}

/** A test whether a licence has one of the identifiers; a licence with an exception or a `+` also has the identifier before it. */
function matcherOf(flag: string, patterns: readonly string[]): (license: string) => boolean {
  const expressions = patterns
    .flatMap((each) => each.split(","))
    .map((each) => {
      const written = each.trim();
      const pattern = spdxExpression(written) ?? written;
      const parts = pattern.toLowerCase().split("*");
      const isReference = /^licenseref-/i.test(pattern) || pattern.startsWith("*");
      if (!/^[A-Za-z0-9.+*-]+(?: WITH [A-Za-z0-9.*-]+)?$/.test(pattern) || !(isReference || isKnown(parts)))
        throw new UsageError(
          `${flag}: expected an SPDX identifier such as GPL-3.0-only or GPL-*, found ${pattern || "nothing"}`,
        );
      return parts;
    });
  return (license) => {
    const names = namesOfLicense(license).map((name) => name.toLowerCase());
    return expressions.some((parts) => names.some((name) => hasParts(name, parts)));
  };
}

/** Whether a licence of the SPDX list is meant: a rule with a misspelt name would deny nothing. */
function isKnown(parts: readonly string[]): boolean {
  const plain = parts.map((part, at) => (at === parts.length - 1 ? part.replace(/\+$/, "") : part));
  return someLicense((license) => hasParts(license.toLowerCase(), plain));
}

/** Whether a name consists of the parts in their order, with anything between them. */
function hasParts(name: string, [first = "", ...parts]: readonly string[]): boolean {
  if (!name.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return name === first;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}

function packagesOf(image: IndexedImage, judge: Judge | undefined): readonly LicensedPackage[] {
  return Array.from(licensedPackages(image.report), ({ summary, ...found }) => {
    const expression = summary?.expression;
    return { image, ...found, expression, verdict: judge?.(expression) };
  });
}

interface Judged {
  readonly images: readonly IndexedImage[];
  readonly rows: readonly LicensedPackage[];
  readonly hasRules: boolean;
}

/** A package that breaks the rules fails the command; one whose licence is not known too, unless incomplete results are allowed. */
function gateOf(session: Session, { images, rows, hasRules }: Judged): ExitCode {
  const { strict, allowIncomplete } = session.settings;
  const broken = rows.filter(({ verdict }) => verdict === "broken");
  if (broken.length > 0) {
    const names = [...new Set(broken.map(({ package: { name } }) => safeText(name)))];
    session.fail(
      `${counted(broken.length, "package")} with a licence that is not allowed: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`,
    );
    return exitCodes.gate;
  }
  const unknown = rows.filter(({ verdict }) => verdict === "unknown");
  const partial = images.filter(({ report }) => report.coverage.status === "partial");
  const fails = hasRules && !allowIncomplete;
  if (unknown.length > 0)
    session[fails ? "fail" : "warn"](
      `the licence of ${counted(unknown.length, "package")} could not be judged: ${unknown.length === 1 ? "it states" : "they state"} none, or none on the SPDX list`,
    );
  for (const image of partial) {
    if (fails || strict) session.fail(`${imageName(image)} could not be read completely`);
  }
  return (fails && unknown.length + partial.length > 0) || (strict && partial.length > 0)
    ? exitCodes.scan
    : exitCodes.ok;
}
