import { withoutCredentials } from "../without-credentials.ts";

/**
 * What the record of a package says about it, besides what it is. Everything is as stated; an absent member is not stated. None of it decides whether
 * an advisory applies.
 */
export interface PackageDetails {
  /** The licences, in the order of the record. */
  readonly licenses?: readonly LicenseStatement[];
  /** Who distributes the package in this form: `Debian Perl Group <perl@example.org>`. */
  readonly supplier?: string;
  /** Who made the software, if another than the supplier. */
  readonly originator?: string;
  readonly authors?: readonly string[];
  /** Who has the copyright of its files: `2020 A, 2021 B`. */
  readonly copyright?: string;
  /** In one line. */
  readonly description?: string;
  readonly homepage?: string;
  /** Where its sources are: the address of a repository or of an archive. */
  readonly sourceAddress?: string;
  /** The address that the package was downloaded from. */
  readonly downloadAddress?: string;
  /** What it needs to run, each in the words of its packaging system: `libc6 (>= 2.36)`, `so:libz.so.1`, `lodash@^4.17.0`. Empty if it is known to need nothing. */
  readonly requires?: readonly string[];
  /** What it uses if it is there, likewise. */
  readonly recommends?: readonly string[];
  /** The names besides its own under which others need it, likewise. */
  readonly provides?: readonly string[];
  /** The file that it is, of a package that is one file: at `packageDb`, the first place of the package. */
  readonly file?: PackageFile;
}

/** A file that is a package itself: an archive such as a jar or a wheel, or a program. */
export interface PackageFile {
  readonly kind: "archive" | "program";
  /** In lower-case hex. */
  readonly sha256: string;
  readonly sha512: string;
}

/** What a file says about the licence of a package. */
export interface LicenseStatement {
  /** As written: an SPDX expression, the name of a licence, or in the words of the packaging system. */
  readonly text: string;
  /** The SPDX expression that the packaging system documents for the text; absent where none is known. */
  readonly expression?: string;
  /** The file that says so, if another than the record of the package. */
  readonly path?: string;
}

/** Longer texts of a record are cut. */
const maxText = 512;
/** More authors of one package are left out. */
const maxList = 32;
/** Longer licences are cut, and say so: no part of one may count as the whole. */
const maxLicense = 4096;
/** Of more licences of one package it is said how many there are. */
const maxLicenses = 256;
const moreLicenses = /^\d+ more licences$/;
/** The same for what it needs and provides: a kernel has thousands. */
const maxNeeds = 2048;

/** The last of a package's needs if more are left out: no package has such a name. */
const moreNeeds = /^\d+ more, which are left out$/;

/** What says that more is needed than is listed; undefined if all is. */
export function leftOutNeeds({ requires = [], recommends = [] }: PackageDetails): string | undefined {
  return [requires, recommends].map((list) => list.at(-1) ?? "").find((last) => moreNeeds.test(last));
}

/** The members that are one text, and those of them that are addresses. */
const texts = ["supplier", "originator", "copyright", "description"] as const;
const addresses = ["homepage", "sourceAddress", "downloadAddress"] as const;

/** Details without the members that are empty, and with long texts cut; undefined where nothing is stated. */
export function packageDetails(stated: PackageDetails): PackageDetails | undefined {
  const kept: { -readonly [Name in keyof PackageDetails]: PackageDetails[Name] } = {};
  const licenses = writtenLicenses(stated.licenses ?? []);
  if (licenses.length > 0) kept.licenses = licenses;
  const authors = writtenLines((stated.authors ?? []).map(withoutUser));
  if (authors.length > 0) kept.authors = authors.slice(0, maxList);
  for (const name of texts) {
    const text = oneLine(withoutUser(stated[name]));
    if (text !== "") kept[name] = text;
  }
  for (const name of addresses) {
    const address = oneLine(withoutUser(stated[name]));
    if (address !== "") kept[name] = address;
  }
  if (stated.requires !== undefined) kept.requires = writtenNeeds(stated.requires);
  const recommends = writtenNeeds(stated.recommends ?? []);
  if (recommends.length > 0) kept.recommends = recommends;
  const provides = writtenLines((stated.provides ?? []).slice(0, maxNeeds));
  if (provides.length > 0) kept.provides = provides;
  if (stated.file !== undefined) kept.file = stated.file;
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Each text in one line, once, without the empty ones. */
function writtenLines(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? lines : [...new Set(lines.map(oneLine))].filter((line) => line !== "");
}

function writtenNeeds(needs: readonly string[]): readonly string[] {
  if (needs.length <= maxNeeds) return writtenLines(needs);
  return [...writtenLines(needs.slice(0, maxNeeds)), `${needs.length - maxNeeds} more, which are left out`];
}

/** What records and documents write for what is not known, and for nothing. */
const nothing = /^(?:noassertion|none|\(none\)|)$/i;

/** Whether a text is empty, or only says that nothing is stated. */
export function saysNothing(text: string): boolean {
  return nothing.test(text.trim());
}

function writtenLicenses(licenses: readonly LicenseStatement[]): readonly LicenseStatement[] {
  if (licenses.length === 0) return licenses;
  const written = licenses.filter(({ text }) => !saysNothing(text));
  const isCut = written.length === maxLicenses + 1 && moreLicenses.test(written.at(-1)?.text ?? "");
  if (isCut) return [...writtenLicenses(written.slice(0, -1)), ...written.slice(-1)]; // it was read from our own document
  const more = written.length - maxLicenses;
  const kept = written.slice(0, maxLicenses).map((each) => {
    const start = each.text.slice(0, 2 * maxLicense);
    const text = (unusualSpace.test(start) ? start.replace(/\s+/g, " ") : start).trim();
    return text.length <= maxLicense ? { ...each, text } : { path: each.path, text: `${text.slice(0, maxLicense)} …` };
  });
  return more > 0 ? [...kept, { text: `${more} more licences` }] : kept;
}

/** Without the credentials that an address may have: it gets into documents that others read. */
function withoutUser(text = ""): string {
  const start = text.length > 2 * maxText ? text.slice(0, 2 * maxText) : text;
  return start.includes("://") && /[@?]/.test(start) ? withoutCredentials(start) : start;
}

/** White space other than one space between words. */
const unusualSpace = /\s\s|[^\S ]/;

function oneLine(text = ""): string {
  const start = text.length > 2 * maxText ? text.slice(0, 2 * maxText) : text;
  return (unusualSpace.test(start) ? start.replace(/\s+/g, " ") : start).trim().slice(0, maxText);
}
