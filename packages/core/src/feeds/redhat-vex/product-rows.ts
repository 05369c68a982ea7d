import { rpmVersions } from "../../ecosystems/rpm/version.ts";
import { ScanError } from "../../errors.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { type JsonPlace, memberAt, optionalItemsAt, optionalStringAt, stringAt } from "../../model/json-place.ts";
import { parsePurl } from "../../model/purl.ts";
import { type RpmComponent, rpmComponent } from "./component.ts";
import type { FindComponent, ProductComponent } from "./product-tree.ts";
import { type ProductRating, readRatings } from "./ratings.ts";

/** The statement of a document on one rpm package or container of one product. */
export interface ProductRow extends RpmComponent {
  readonly isContainer?: true;
  /** The version from which on the fix applies; absent: from the first version on. */
  readonly introduced?: string;
  readonly cpe: string;
  readonly status: AdvisoryRule["status"];
  readonly rating: ProductRating;
  readonly remediation: ProductRemediation;
}

const statuses = [
  ["fixed", "affected"],
  ["first_fixed", "affected"],
  ["known_affected", "affected"],
  ["known_not_affected", "not-affected"],
  ["under_investigation", "undetermined"],
] as const satisfies (readonly [member: string, status: AdvisoryRule["status"]])[];

/** Packages with debugging symbols, which are not needed at run time. They are half of all packages in the documents. */
const debugName = /-debug(?:info|source)(?:$|-common)/;

const noRemediation: ProductRemediation = {};

/**
 * The rows of a vulnerability. A fix has a row for each binary with its version; the source has a row only if none of its binaries is listed. Other
 * statements are about every version.
 */
export function productRows(vulnerability: JsonPlace, find: FindComponent): readonly ProductRow[] {
  const ratingOf = readRatings(vulnerability);
  const remediations = readRemediations(vulnerability);
  const productStatus = memberAt(vulnerability, "product_status");
  if (productStatus.value === undefined || productStatus.value === null) return [];
  return statuses.flatMap(([member, status]) => {
    const rows: ProductRow[] = [];
    for (const place of optionalItemsAt(memberAt(productStatus, member))) {
      const id = stringAt(place);
      const component = find(id);
      const found = component && (rpmComponent(component) ?? containerComponent(component));
      if (component === undefined || found === undefined || debugName.test(found.name)) continue;
      const rating = ratingOf(id);
      if (status === "affected" && rating.isHarmless) continue;
      const remediation = remediations.get(id) ?? noRemediation;
      rows.push({ ...found, cpe: component.cpe, status, rating, remediation });
    }
    return isFixed(member) ? withMinorReleases(installedRows(rows)) : rows.map(ofEveryVersion);
  });
}

function isFixed(member: string): boolean {
  return member === "fixed" || member === "first_fixed";
}

/** The rows without sources whose binaries are listed. */
function installedRows(rows: readonly ProductRow[]): readonly ProductRow[] {
  const versioned = rows.filter(({ evr }) => evr !== undefined);
  const binaries = new Set(versioned.filter(({ kind }) => kind === "BINARY").map(({ evr }) => evr));
  return versioned.filter(({ kind, evr }) => kind === "BINARY" || !binaries.has(evr));
}

function ofEveryVersion({ evr: _, ...row }: ProductRow): ProductRow {
  return row;
}

/** The vendor's remediation of a vulnerability in one product. */
interface ProductRemediation {
  /** The address of the advisory with the fix. */
  readonly url?: string;
  /** The vendor's word where there is no fix: `Will not fix`, `Fix deferred`, `Out of support scope`. */
  readonly word?: string;
}

const unfixed: ReadonlySet<unknown> = new Set(["no_fix_planned", "none_available"]);

/** The maximal length of such a word; longer texts are advice. */
const maxWord = 60;

/**
 * The remediations of a vulnerability by product id.
 *
 * ```
 * remediations = [{ category: "vendor_fix" | "no_fix_planned" | "none_available" | "workaround", details, url?, product_ids: [id] }]
 * ```
 */
function readRemediations(vulnerability: JsonPlace): ReadonlyMap<string, ProductRemediation> {
  const found = new Map<string, ProductRemediation>();
  for (const place of optionalItemsAt(memberAt(vulnerability, "remediations"))) {
    const remediation = remediationAt(place);
    if (remediation === undefined) continue;
    for (const id of optionalItemsAt(memberAt(place, "product_ids"))) found.set(stringAt(id), remediation);
  }
  return found;
}

function remediationAt(place: JsonPlace): ProductRemediation | undefined {
  const category = memberAt(place, "category").value;
  if (category === "vendor_fix") {
    const url = optionalStringAt(memberAt(place, "url"));
    return url === undefined ? undefined : { url };
  }
  const word = unfixed.has(category) ? optionalStringAt(memberAt(place, "details")) : undefined;
  return word === undefined || word.length > maxWord ? undefined : { word };
}

/** A container in a document, named by its repository: `openshift4/ose-console-rhel9`. */
interface ContainerComponent extends Pick<RpmComponent, "name" | "kind" | "evr"> {
  readonly isContainer: true;
}

/**
 * The container of a component: `pkg:oci/NAME@DIGEST?repository_url=HOST/PATH&tag=VERSION`. Undefined for other components. The builds of all
 * architectures have the same tag.
 * @see https://redhatproductsecurity.github.io/security-data-guidelines/purl/#identifying-container-images
 */
function containerComponent({ purl = "" }: ProductComponent): ContainerComponent | undefined {
  if (!purl.startsWith("pkg:oci/")) return undefined;
  const { repository_url: url = "", tag } = qualifiersOf(purl);
  const name = url.replace(/^[a-z]+:\/\//, "").replace(/^[^/]*\//, "");
  if (!/^[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/.test(name)) return undefined;
  return { name, kind: "BINARY", isContainer: true, evr: tag };
}

function qualifiersOf(purl: string): Readonly<Record<string, string>> {
  try {
    return parsePurl(purl).qualifiers;
  } catch (error) {
    if (error instanceof ScanError) return {};
    throw error;
  }
}

/** A row with the version of a fix. */
interface FixRow {
  readonly name: string;
  readonly evr?: string;
  readonly isContainer?: true;
}

/**
 * Adds the version from which on a fix of a container applies. A product is maintained in several minor releases, each with its own fix. The fix of
 * the oldest applies to all earlier versions too.
 */
function withMinorReleases<Row extends FixRow>(
  rows: readonly Row[],
): readonly (Row & { readonly introduced?: string })[] {
  const oldest = new Map<string, string>();
  for (const { name, evr, isContainer } of rows) {
    const minor = isContainer === true ? minorOf(evr) : undefined;
    const known = oldest.get(name);
    if (minor !== undefined && (known === undefined || compare(minor, known) < 0)) oldest.set(name, minor);
  }
  return rows.map((row) => {
    const minor = row.isContainer === true ? minorOf(row.evr) : undefined;
    return minor === undefined || minor === oldest.get(row.name) ? row : { ...row, introduced: minor };
  });
}

/** `v4.16` of `v4.16.0-202409181705.p0`; undefined for a version that has no minor release: `1-25`. */
function minorOf(evr: string | undefined): string | undefined {
  return /^v?\d+\.\d+(?=[.-])/.exec(evr ?? "")?.[0];
}

function compare(a: string, b: string): number {
  return rpmVersions.compare(rpmVersions.parse(a), rpmVersions.parse(b));
}
