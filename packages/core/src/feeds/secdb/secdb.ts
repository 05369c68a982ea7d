/**
 * The security database of an apk distribution: which version of a package fixed what.
 *
 * ```
 * { distroversion?: "v3.20" | "edge", reponame, urlprefix?, packages: [{ pkg: { name, secfixes: { version: [ids] } } }] }
 * ```
 * An empty list of packages may be written `{}`. Version "0" says that no version was ever affected. One text may hold
 * several ids, which are one vulnerability, and a remark: `CVE-2018-19961 CVE-2018-19962 XSA-275`, `CVE-2019-3 (+ regression)`.
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

/** Whose document it is that advisories are read from. */
export interface SecdbOrigin {
  readonly updater: string;
  readonly secdb: Secdb;
}

/**
 * The advisories of one package. A list of ids that is none, or a text in it, costs itself and not the package.
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

/** The ids of one text; remarks in parentheses and words that are no id (`CVE N/A`) do not count. */
function idsOf(text: string): readonly string[] {
  const words = text.replace(/\([^)]*\)?/g, " ").split(/[\s,]+/);
  const ids = words.filter((word) => /^[A-Za-z]+[-_][\w.:-]*\d/.test(word));
  return ids.map((id) => id.replace(/^CVE_/, "CVE-"));
}

/** A vulnerability's name and what else it is called. */
interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

/**
 * The vulnerabilities of a list of texts. Ids in one text are one vulnerability, which goes by its first CVE id, or else by
 * its first id; the others are aliases. Texts with the same CVE id are about the same one.
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

/** The ids that tell a vulnerability from others: the advisory of a project (`XSA-229`) may be about several. */
function namingIds(ids: readonly string[]): readonly string[] {
  const cves = ids.filter(isCve);
  return cves.length > 0 ? cves : ids.slice(0, 1);
}

interface Fix extends SecdbOrigin, Named {
  readonly packageName: string;
  readonly version: string;
}

/** The version is part of the id: a fix that was not enough is listed again under a later version. */
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
