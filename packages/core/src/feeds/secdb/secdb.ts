/**
 * The security database of an apk distribution: which version of a package fixed which vulnerabilities.
 *
 * ```
 * { distroversion?: "v3.20" | "edge", reponame, urlprefix?, packages: [{ pkg: { name, secfixes: { version: [ids] } } }] }
 * ```
 * An empty list of packages may be written `{}`. Version "0": no version was ever affected. One text may contain several ids
 * of one vulnerability, and a remark: `CVE-2018-19961 CVE-2018-19962 XSA-275`, `CVE-2019-3 (+ regression)`.
 *
 * @see https://secdb.alpinelinux.org
 */
import { isCve } from "../../match/vulnerability-names.ts";
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
import type { ReadPart } from "../shared/malformed-feed.ts";

/** A document's packages, and the key of their advisories. */
export interface Secdb {
  readonly ecosystem: string;
  /** `main`, `community`. An old entry of a package may remain in another repository. */
  readonly repository: string;
  readonly packages: readonly JsonPlace[];
}

/**
 * Reads a document; undefined where neither content nor name contain the distribution.
 * @param name the document's name in its folder or site, from which the branch is read if the content does not contain it
 * @throws ScanError `malformed_feed` where it is not a security database
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

/** The document and updater of advisories. */
export interface SecdbOrigin {
  readonly updater: string;
  readonly secdb: Secdb;
}

/**
 * The advisories of one package. A malformed list of ids, or text in it, is skipped.
 * @throws ScanError `malformed_feed` where the package has no name or no object of fixes
 */
export function secdbAdvisories(origin: SecdbOrigin, listed: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  const place = memberAt(listed, "pkg");
  const packageName = stringAt(memberAt(place, "name"));
  const secfixes = memberAt(place, "secfixes");
  if (isAbsent(secfixes)) return [];
  return membersAt(secfixes).flatMap(([version, ids]) => {
    const texts = readPart(() => optionalItemsAt(ids)) ?? [];
    const entries = texts.map((text) => readPart(() => idsOf(stringAt(text))) ?? []);
    return namedOf(entries).map((named) => advisoryOf({ ...origin, packageName, version, ...named }));
  });
}

/** The ids in one text, without remarks in parentheses and words that are not ids (`CVE N/A`). */
function idsOf(text: string): readonly string[] {
  const words = text.replace(/\([^)]*\)?/g, " ").split(/[\s,]+/);
  const ids = words.filter((word) => /^[A-Za-z]+[-_][\w.:-]*\d/.test(word));
  return ids.map((id) => id.replace(/^CVE_/, "CVE-"));
}

/** A vulnerability's name and its aliases. */
interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

/**
 * The vulnerabilities in a list of texts. The ids of one text are one vulnerability, named by its first CVE id, or else by its first id; the
 * others are aliases. Texts with the same CVE id are about the same vulnerability.
 */
function namedOf(entries: readonly (readonly string[])[]): readonly Named[] {
  let groups: readonly (readonly string[])[] = [];
  for (const ids of entries) {
    const isSame = (known: readonly string[]) => namingIds(known).some((id) => namingIds(ids).includes(id));
    const merged = [...new Set([...groups.filter(isSame).flat(), ...ids])];
    groups = [...groups.filter((known) => !isSame(known)), merged];
  }
  const named = groups.flatMap((ids): readonly Named[] => {
    const [name] = namingIds(ids);
    return name === undefined ? [] : [{ name, aliases: ids.filter((id) => id !== name) }];
  });
  const aliases = new Set(named.flatMap((each) => each.aliases));
  return named.filter(({ name }) => isCve(name) || !aliases.has(name));
}

/** The ids that identify a vulnerability. A project's own advisory (`XSA-229`) may be about several, so CVE ids are preferred. */
function namingIds(ids: readonly string[]): readonly string[] {
  const cves = ids.filter(isCve);
  return cves.length > 0 ? cves : ids.slice(0, 1);
}

interface Fix extends SecdbOrigin, Named {
  readonly packageName: string;
  readonly version: string;
}

/** The version is part of the id, since an incomplete fix is listed again with a later version. */
function advisoryOf({ updater, secdb, packageName, version, name, aliases }: Fix): Advisory {
  const { ecosystem, repository } = secdb;
  const never = version === "0";
  return {
    id: [updater, name, packageName, ecosystem, repository, version].join("/"),
    updater,
    name,
    aliases,
    ecosystem,
    packageName,
    packageKind: "SOURCE",
    status: never ? "not-affected" : "affected",
    ranges: [never ? {} : { fixed: version }],
    versions: [],
    links: ecosystem.startsWith("alpine:") ? [name, ...aliases.filter(isCve)].map(linkOf) : [],
    normalizedSeverity: "Unknown",
  };
}

function linkOf(id: string): string {
  return `https://security.alpinelinux.org/vuln/${id}`;
}
