/**
 * A CSAF document of Red Hat: a VEX file about one vulnerability, or a security advisory about several.
 *
 * ```
 * { document: { category, title, tracking: { id, status } }, product_tree,
 *   vulnerabilities: [{ cve, notes?, references?, release_date?, scores?, threats?, remediations?,
 *     product_status: { fixed?: [id], known_affected?: [id], known_not_affected?: [id], under_investigation?: [id] } }] }
 * ```
 * @see https://docs.oasis-open.org/csaf/csaf/v2.0/os/csaf-v2.0-os.html
 * @see https://www.redhat.com/en/blog/red-hat-vex-files-cves-are-now-generally-available
 */

import { fingerprintText } from "../../bytes/fingerprint.ts";
import { redhatContainersKey } from "../../ecosystems/redhat-container/matcher.ts";
import { redhatProductsKey } from "../../ecosystems/rpm/product-scope.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import {
  documentPlace,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { ListedText } from "../shared/feed-documents.ts";
import { failedItems, leftOutRecord, type ReadPart, recordItems, wholeRecord } from "../shared/malformed-feed.ts";
import { hasAnyMember } from "../shared/recognized.ts";
import { type ProductRow, productRows } from "./product-rows.ts";
import { readProductTree } from "./product-tree.ts";

/** The advisories of one document. A malformed document gives a problem; one that is not CSAF is skipped. */
export function documentItems(bytes: Uint8Array, at: string): readonly FeedItem<Advisory>[] {
  return recordItems(at, (readPart) => {
    const document = documentPlace(parseJson(bytes, at, "malformed_feed"), at, "malformed_feed");
    if (!hasAnyMember(document, ["document", "product_tree", "vulnerabilities"]))
      return readPart.leaveOut("not-an-advisory");
    return csafAdvisories(document, readPart);
  });
}

/** The advisories of a document of an archive. A document that cannot be read gives a problem. */
export function archivedItems(document: ListedText): readonly FeedItem<Advisory>[] {
  if ("skipped" in document) return [leftOutRecord(document.skipped, document.location)];
  if ("error" in document) return failedItems(document.location, document.error.message);
  return documentItems(document.bytes, document.location);
}

/** Whether a document of an archive is CSAF, by its name. */
export function isJsonName(name: string): boolean {
  return name.endsWith(".json");
}

/**
 * The advisories of a document; none where it was withdrawn.
 * @throws ScanError `malformed_feed`
 */
function csafAdvisories(document: JsonPlace, readPart: ReadPart = wholeRecord): readonly Advisory[] {
  const about = memberAt(document, "document");
  const category = stringAt(memberAt(about, "category"));
  if (!category.startsWith("csaf_")) throw unexpected(memberAt(about, "category"), "a CSAF document");
  const tracking = memberAt(about, "tracking");
  if (memberAt(tracking, "status").value === "deleted") return readPart.leaveOut("withdrawn");
  const find = readProductTree(memberAt(document, "product_tree"));
  return optionalItemsAt(memberAt(document, "vulnerabilities")).flatMap((vulnerability) => {
    const facts = factsOf(document, vulnerability);
    return rowAdvisories(facts, productRows(vulnerability, find));
  });
}

/** The id of a document, from which its advisories and its file are named. @throws ScanError `malformed_feed` */
function documentId(document: JsonPlace): string {
  return stringAt(memberAt(memberAt(memberAt(document, "document"), "tracking"), "id"));
}

function factsOf(document: JsonPlace, vulnerability: JsonPlace): SharedFacts {
  const id = documentId(document);
  const name = optionalStringAt(memberAt(vulnerability, "cve")) ?? id;
  const description =
    descriptionOf(vulnerability) ?? optionalStringAt(memberAt(memberAt(document, "document"), "title"));
  const issuedAt = Date.parse(optionalStringAt(memberAt(vulnerability, "release_date")) ?? "");
  const links = optionalItemsAt(memberAt(vulnerability, "references")).flatMap(
    (reference) => optionalStringAt(memberAt(reference, "url")) ?? [],
  );
  return {
    document: id,
    name,
    aliases: goIds(links),
    description,
    issuedAt: issuedAt > 0 ? issuedAt : undefined,
    links: links.filter((link) => /^https?:\/\//.test(link)),
  };
}

function descriptionOf(vulnerability: JsonPlace): string | undefined {
  const notes = optionalItemsAt(memberAt(vulnerability, "notes"));
  const note = notes.find((each) => memberAt(each, "category").value === "description");
  return note && optionalStringAt(memberAt(note, "text"));
}

/** The ids of the same vulnerability in Go's vulnerability database. */
function goIds(links: readonly string[]): readonly string[] {
  const ids = links.flatMap((link) => /^https:\/\/pkg\.go\.dev\/vuln\/(GO-\d{4}-\d+)$/.exec(link)?.[1] ?? []);
  return [...new Set(ids)];
}

/** The common members of all advisories about a vulnerability. */
interface SharedFacts extends Pick<Advisory, "name" | "aliases" | "description" | "issuedAt" | "links"> {
  /** The id of the document. */
  readonly document: string;
}

/**
 * The advisories of rows. Rows that differ only in the architecture become one, then those that differ only in the version of the fix, then
 * those that differ only in the product: one vulnerability may have thousands of rows that are mostly the same.
 */
function rowAdvisories(facts: SharedFacts, rows: readonly ProductRow[]): readonly Advisory[] {
  const byVersion = groups(rows, (row) => [...identityOf(row), row.evr, row.cpe]).map(([row, all]) => ({
    ...row,
    arches: distinct(all.flatMap(({ arch }) => arch ?? [])),
  }));
  const byProduct = groups(byVersion, (row) => [...identityOf(row), row.cpe, row.arches.join("|")]).map(
    ([row, all]) => ({ ...row, fixes: distinct(all.flatMap(({ evr }) => evr ?? [])) }),
  );
  const statements = groups(byProduct, (row) => [...identityOf(row), row.arches.join("|"), row.fixes.join(" ")]);
  return statements.map(([row, all]) => advisoryOf(facts, { ...row, cpes: distinct(all.map(({ cpe }) => cpe)) }));
}

function identityOf(row: ProductRow): readonly unknown[] {
  const { kind, name, module, status, rating, remediation } = row;
  const { severity, normalizedSeverity } = rating;
  return [
    ecosystemOf(row),
    kind,
    name,
    module,
    row.introduced,
    status,
    severity,
    normalizedSeverity,
    remediation.url,
    remediation.word,
  ];
}

/** Groups elements by key; each group with its first element. */
function groups<T>(
  elements: readonly T[],
  keyOf: (element: T) => readonly unknown[],
): (readonly [first: T, all: readonly T[]])[] {
  const found = new Map<string, [T, T[]]>();
  for (const element of elements) {
    const key = keyOf(element).join("\0");
    const group = found.get(key);
    if (group === undefined) found.set(key, [element, [element]]);
    else group[1].push(element);
  }
  return [...found.values()];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** A row with the architectures, fixes and products of all rows that it combines. */
interface Statement extends ProductRow {
  readonly arches: readonly string[];
  readonly fixes: readonly string[];
  readonly cpes: readonly string[];
}

function advisoryOf(facts: SharedFacts, statement: Statement): Advisory {
  const { document, ...shared } = facts;
  const { kind, name, module, arches, fixes, cpes, status, rating, remediation, introduced } = statement;
  const ecosystem = ecosystemOf(statement);
  const ranges: readonly AdvisoryRange[] = fixes.length === 0 ? [{}] : fixes.map((fixed) => ({ introduced, fixed }));
  const identity = [kind, module, status, arches.join("|"), rating.severity, remediation.url, ...cpes].join("\0");
  const erratum = /\/errata\/(RH[A-Z]{2}-\d{4}:\d+)$/.exec(remediation.url ?? "")?.[1];
  return {
    id: `redhat/${document === facts.name ? "" : `${document}/`}${facts.name}/${ecosystem}/${name}/${fingerprintText(identity).slice(0, 16)}`,
    updater: "redhat",
    ...shared,
    aliases: erratum === undefined ? facts.aliases : [...facts.aliases, erratum],
    links: remediation.url === undefined ? facts.links : [...facts.links, remediation.url],
    ecosystem,
    packageName: name,
    packageKind: kind,
    module,
    arch: arches.length > 0 ? { operation: "pattern match", value: arches.join("|") } : undefined,
    cpes,
    status,
    ranges,
    versions: [],
    severity: rating.severity,
    normalizedSeverity: rating.normalizedSeverity,
    remediation: remediation.word,
  };
}

/** The key of the release of a row, from the product's name or the build of the package; {@link redhatProductsKey} where neither contains it. */
function ecosystemOf({ cpe, evr = "", isContainer }: ProductRow): string {
  if (isContainer === true) return redhatContainersKey;
  const major =
    /:el(\d+)/.exec(cpe)?.[1] ??
    /:redhat:(?:enterprise_linux|rhel_(?:aus|e4s|els|eus|extras|tus)\w*):(\d+)/.exec(cpe)?.[1] ??
    /\.el(\d+)/.exec(evr)?.[1];
  return major === undefined ? redhatProductsKey : `rhel:${major}`;
}
