import { type JsonPlace, memberAt, optionalItemsAt, optionalStringAt, stringAt } from "../../model/json-place.ts";

/** The vendor's remediation of a vulnerability in one product. */
export interface ProductRemediation {
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
export function readRemediations(vulnerability: JsonPlace): ReadonlyMap<string, ProductRemediation> {
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
