/**
 * The security database of an apk distribution: which version of a package fixed what.
 *
 * ```
 * { distroversion?: "v3.20" | "edge", reponame, urlprefix?, packages: [{ pkg: { name, secfixes: { version: [ids] } } }] }
 * ```
 * An empty list of packages may be written `{}`. Version "0" says that no version was ever affected. One text may hold
 * several ids and a remark: `CVE-2019-1 CVE-2019-2`, `CVE-2019-3 (+ regression)`.
 *
 * @see https://secdb.alpinelinux.org
 */
import type { Advisory } from "../../model/advisory.ts";
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";

/** A document's packages and what their advisories are kept under. */
export interface Secdb {
  readonly ecosystem: string;
  /** `main`, `community`; packages of one name may be left over in another. */
  readonly repository: string;
  readonly packages: readonly JsonPlace[];
}

/**
 * Reads a document. `name` is the document's own in its folder or site, which tells the branch where the content does not.
 * @throws ScanError `malformed_feed` where it is none; undefined when it tells no distribution
 */
export function readSecdb(document: JsonPlace, name: string): Secdb | undefined {
  const packages = memberAt(document, "packages");
  const listed = isEmptyObject(packages) ? [] : itemsAt(packages);
  const ecosystem = ecosystemOf(document) ?? ecosystemOfName(name);
  const repository = optionalStringAt(memberAt(document, "reponame")) ?? "";
  return ecosystem === undefined ? undefined : { ecosystem, repository, packages: listed };
}

function isEmptyObject({ value }: JsonPlace): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function ecosystemOf(document: JsonPlace): string | undefined {
  const branch = /^v?(\d+\.\d+|edge)$/.exec(optionalStringAt(memberAt(document, "distroversion")) ?? "")?.[1];
  if (branch !== undefined) return `alpine:${branch}`;
  const origin = `${optionalStringAt(memberAt(document, "urlprefix"))} ${optionalStringAt(memberAt(document, "reponame"))}`;
  return /\b(wolfi|chainguard)\b/.exec(origin)?.[1];
}

/** `v3.20/main.json`, `edge-community.json`, `wolfi.json`. */
function ecosystemOfName(name: string): string | undefined {
  const branch = /(?:^|\W)(?:v(\d+\.\d+)|edge)(?=\W)/.exec(name);
  if (branch !== null) return `alpine:${branch[1] ?? "edge"}`;
  return /\b(wolfi|chainguard)\b/.exec(name)?.[1];
}

/**
 * The advisories of one package.
 * @throws ScanError `malformed_feed` where the package is not as described above
 */
export function secdbAdvisories(updater: string, secdb: Secdb, listed: JsonPlace): readonly Advisory[] {
  const place = memberAt(listed, "pkg");
  const packageName = stringAt(memberAt(place, "name"));
  const secfixes = memberAt(place, "secfixes");
  if (isAbsent(secfixes)) return [];
  return membersAt(secfixes).flatMap(([version, ids]) =>
    namesOf(ids).map((name) => advisoryOf({ updater, secdb, packageName, version, name })),
  );
}

/** The distinct ids; remarks in parentheses and words that are no id (`CVE N/A`) do not count. */
function namesOf(ids: JsonPlace): readonly string[] {
  const words = optionalItemsAt(ids).flatMap((id) =>
    stringAt(id)
      .replace(/\([^)]*\)?/g, " ")
      .split(/[\s,]+/),
  );
  const names = words.filter((word) => /^[A-Za-z]+[-_][\w.:-]*\d/.test(word));
  return [...new Set(names.map((name) => name.replace(/^CVE_/, "CVE-")))];
}

interface Fix {
  readonly updater: string;
  readonly secdb: Secdb;
  readonly packageName: string;
  readonly version: string;
  readonly name: string;
}

/** The version is part of the id: a fix that was not enough is listed again under a later version. */
function advisoryOf({ updater, secdb, packageName, version, name }: Fix): Advisory {
  const { ecosystem, repository } = secdb;
  const never = version === "0";
  return {
    id: [updater, name, packageName, ecosystem, repository, version].join("/"),
    updater,
    name,
    aliases: [],
    ecosystem,
    packageName,
    packageKind: "SOURCE",
    status: never ? "not-affected" : "affected",
    ranges: [never ? {} : { fixed: version }],
    versions: [],
    links: ecosystem.startsWith("alpine:") ? [`https://security.alpinelinux.org/vuln/${name}`] : [],
    normalizedSeverity: "Unknown",
  };
}
