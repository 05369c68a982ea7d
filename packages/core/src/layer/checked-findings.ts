import { nameOfValue, sequenceOf } from "../model/at-once.ts";
import { unassessedKinds } from "../model/index-report.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import type { Finding } from "../plugins/finding.ts";

/** The members that each kind of finding must have. */
const shapes: { readonly [Kind in Finding["kind"]]: (finding: Members) => boolean } = {
  database: ({ path }) => isText(path),
  details: ({ path, of, details, like = "", values = {} }) =>
    isText(path) && isText(of) && isText(like) && areDetails(details) && hasTexts(values),
  distribution: ({ path, distribution, root = "" }) => isText(path) && isText(root) && hasTexts(distribution),
  evidence: ({ path, packages, pieces }) => isText(path) && isKnownKind(packages) && Number.isSafeInteger(pieces),
  files: ({ path, files, digests = [], kind: _, ...texts }) =>
    isText(path) && isListOfTexts(files) && isListOfTexts(digests) && hasTexts(texts),
  link: ({ path, target }) => isText(path) && isText(target),
  listing: ({ path, files, members = [] }) => isText(path) && isListOfTexts(files) && isListOfTexts(members),
  locked: ({ path, packages, members = [] }) =>
    isText(path) && isListOfTexts(packages) && Array.isArray(members) && members.every(isLockedMember),
  log: ({ path, of }) => isText(path) && isText(of),
  needs: ({ path, packages, names, members = [] }) =>
    isText(path) && isKnownKind(packages) && isListOfTexts(names) && isListOfTexts(members),
  origins: ({ path, packages, withoutLog = {} }) => isText(path) && hasLists(packages) && hasLists(withoutLog),
  owned: ({ path, owner, files }) => isText(path) && isText(owner) && isListOfTexts(files),
  package: ({ packageDb, package: found, mainModule = "", details = {}, ...lists }) =>
    isText(packageDb) &&
    areDetails(details) &&
    isText(mainModule) &&
    isPackage(found) &&
    listsOfPackages.every((name) => isListOfTexts(lists[name] === undefined ? [] : lists[name])),
  problem: ({ path, code, message }) => isText(path) && isText(code) && isText(message),
  setting: ({ path, name, value }) => isText(path) && isText(name) && isText(value),
  repository: ({ path, repository }) => isText(path) && hasTexts(repository),
  symlink: ({ path, target, read = {} }) => isText(path) && isText(target) && hasTexts(read),
};

/** The members of a package that are lists, if there are any. */
const listsOfPackages = [
  "candidates",
  "dependencies",
  "dependenciesIn",
  "dependencyFolders",
  "linkedParts",
  "namePatterns",
  "otherIdentities",
] as const;

/** The members of a value whose shape is not known. */
type Members = Readonly<Record<string, unknown>>;

/**
 * The findings of a plug-in, of which nothing is sure but what TypeScript has checked. What is not a finding becomes a problem in its place, since
 * it would otherwise be passed over, and a package with it.
 * @param at the path and the name of the plug-in in such a problem
 * @throws TypeError if the plug-in is asynchronous, or returned no sequence
 */
export function* checkedFindings(
  found: Iterable<Finding>,
  { path, name }: { readonly path: string; readonly name: string },
): Iterable<Finding> {
  for (const finding of sequenceOf(found, `detect of ${name}`)) {
    if (isFinding(finding)) yield finding;
    else yield { kind: "problem", path, code: "malformed_finding", message: `${name}: ${messageOf(finding)}` };
  }
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value)) return false;
  const { kind } = value;
  return typeof kind === "string" && Object.hasOwn(shapes, kind) && shapes[kind as Finding["kind"]](value);
}

function messageOf(value: unknown): string {
  const kind = isObject(value) ? value.kind : undefined;
  const known = typeof kind === "string" && Object.hasOwn(shapes, kind);
  const text = typeof kind === "string" ? JSON.stringify(kind.slice(0, 100)) : nameOfValue(value);
  return known
    ? `found a finding of the kind ${text} without the members that it must have`
    : `expected a finding of the kind ${Object.keys(shapes).join(", ")}, found ${text}`;
}

/** Whether what a plug-in gives for a package of the finished image is one. */
export function isCoalesced(value: unknown): value is CoalescedPackage {
  if (!isObject(value)) return false;
  const { package: found, packageDb, introducedIn, repositories, distribution = {}, details = {}, root = "" } = value;
  return (
    isPackage(found) &&
    [packageDb, introducedIn, root].every(isText) &&
    Array.isArray(repositories) &&
    repositories.every(hasTexts) &&
    hasTexts(distribution) &&
    areDetails(details)
  );
}

function isPackage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, version, kind, source } = value;
  if (!isText(name) || !isText(version) || (kind !== "BINARY" && kind !== "SOURCE")) return false;
  const texts = [value.arch, value.module, value.cpe, value.normalizedVersion];
  return texts.every((text) => text === undefined || isText(text)) && (source === undefined || isPackage(source));
}

function areDetails(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { licenses = [], file = {}, ...texts } = value;
  return (
    hasTexts(texts) &&
    hasTexts(file) &&
    Array.isArray(licenses) &&
    licenses.every((each) => hasTexts(each) && isText(each.text))
  );
}

/** Whether a value is an object whose members are texts, or lists of texts. */
function hasTexts(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.values(value).every((member) => member === undefined || isText(member) || isListOfTexts(member));
}

/** Whether a value is an object whose members are lists of texts. */
function hasLists(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isListOfTexts);
}

function isKnownKind(value: unknown): boolean {
  return unassessedKinds.some((kind) => kind === value);
}

function isLockedMember(value: unknown): boolean {
  return isObject(value) && isText(value.path) && isListOfTexts(value.packages);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
