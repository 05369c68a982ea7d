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
import type { Advisory } from "../../model/advisory.ts";
import {
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { type ReadPart, wholeRecord } from "../shared/malformed-feed.ts";
import { productRows } from "./product-rows.ts";
import { readProductTree } from "./product-tree.ts";
import { rowAdvisories, type SharedFacts } from "./row-advisories.ts";

/**
 * The advisories of a document; none where it was withdrawn.
 * @throws ScanError `malformed_feed`
 */
export function csafAdvisories(document: JsonPlace, readPart: ReadPart = wholeRecord): readonly Advisory[] {
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
export function documentId(document: JsonPlace): string {
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
