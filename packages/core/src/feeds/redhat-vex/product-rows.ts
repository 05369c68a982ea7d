import type { AdvisoryRule } from "../../model/advisory.ts";
import { type JsonPlace, memberAt, optionalItemsAt, stringAt } from "../../model/json-place.ts";
import { type RpmComponent, rpmComponent } from "./component.ts";
import { containerComponent, withMinorReleases } from "./container.ts";
import type { FindComponent } from "./product-tree.ts";
import { type ProductRating, readRatings } from "./ratings.ts";
import { type ProductRemediation, readRemediations } from "./remediations.ts";

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
