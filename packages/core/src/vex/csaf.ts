/**
 * CSAF 2.0, profile VEX.
 *
 * ```
 * { document: { category, publisher: { name }, tracking: { current_release_date } },
 *   product_tree: { branches?: [{ product?, branches? }], full_product_names?: [product],
 *                   relationships?: [{ product_reference, relates_to_product_reference, full_product_name: product }] },
 *   vulnerabilities: [{ cve?, ids?: [{ text }], product_status: { known_not_affected?: [id], fixed?, known_affected?, … },
 *                       flags?: [{ label, product_ids }], threats?: [{ category, details, product_ids }] }] }
 * product = { product_id, name, product_identification_helper?: { purl?, hashes? } }
 * ```
 * @see https://docs.oasis-open.org/csaf/csaf/v2.0/os/csaf-v2.0-os.html#45-profile-5-vex
 */
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import { instantAt, placeOf } from "./places.ts";
import type { VexProduct, VexStatement, VexStatus } from "./statement.ts";

/** Whether a document is CSAF. */
export function isCsaf(document: JsonPlace): boolean {
  const about = memberAt(document, "document");
  return !isAbsent(about) && typeof memberAt(about, "csaf_version").value === "string";
}

/** Reads the statements of a document. @throws ScanError `malformed_vex` */
export function csafStatements(document: JsonPlace): readonly VexStatement[] {
  const about = memberAt(document, "document");
  const author = optionalStringAt(memberAt(present(memberAt(about, "publisher")), "name"));
  const statedAt = instantAt(memberAt(present(memberAt(about, "tracking")), "current_release_date"));
  const products = productsOf(present(memberAt(document, "product_tree")));
  const common = { ...(author !== undefined && { author }), ...(statedAt !== undefined && { statedAt }) };
  let combinations = 0;
  return optionalItemsAt(memberAt(document, "vulnerabilities")).flatMap((place) =>
    statementsAt(place, products).map((statement) => {
      combinations += statement.vulnerability.length + statement.products.length;
      if (combinations > maxCombinations) throw unexpected(place, `at most ${maxCombinations} names and products`);
      return { ...statement, ...common };
    }),
  );
}

const statuses: readonly (readonly [member: string, status: VexStatus])[] = [
  ["known_not_affected", "not_affected"],
  ["fixed", "fixed"],
  ["first_fixed", "fixed"],
  ["known_affected", "affected"],
  ["under_investigation", "under_investigation"],
];

function statementsAt(place: JsonPlace, products: ReadonlyMap<string, readonly VexProduct[]>): VexStatement[] {
  const cve = optionalStringAt(memberAt(place, "cve"));
  const ids = optionalItemsAt(memberAt(place, "ids")).map((each) => stringAt(memberAt(each, "text")));
  const vulnerability = cve === undefined ? ids : [cve, ...ids];
  const status = present(memberAt(place, "product_status"));
  const flags = wordsByProduct(memberAt(place, "flags"), "label");
  const threats = wordsByProduct(memberAt(place, "threats"), "details");
  return statuses.flatMap(([member, vexStatus]) =>
    optionalItemsAt(memberAt(status, member)).map((idPlace): VexStatement => {
      const id = stringAt(idPlace);
      const [justification, detail] = [flags.get(id), threats.get(id)];
      return {
        vulnerability,
        status: vexStatus,
        products: products.get(id) ?? [],
        place: placeOf(idPlace),
        ...(justification !== undefined && { justification }),
        ...(detail !== undefined && { detail }),
      };
    }),
  );
}

function wordsByProduct(list: JsonPlace, word: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const place of optionalItemsAt(list)) {
    for (const id of optionalItemsAt(memberAt(place, "product_ids")))
      words.set(stringAt(id), stringAt(memberAt(place, word)));
  }
  return words;
}

/**
 * The limit for pairs of an image's and a component's identifier in a document, and for the names and products of its statements, which share
 * them. Without it, the number of pairs grows with the square of the
 * document's size and would fill the memory.
 */
const maxCombinations = 1_000_000;

/** The products of each product id. Branches are walked without recursion, because the document determines the nesting depth. */
function productsOf(tree: JsonPlace): ReadonlyMap<string, readonly VexProduct[]> {
  const names = new Map<string, readonly string[]>();
  const addProduct = (product: JsonPlace) =>
    names.set(stringAt(memberAt(product, "product_id")), identifiersAt(product));
  optionalItemsAt(memberAt(tree, "full_product_names")).forEach(addProduct);
  const open = [...optionalItemsAt(memberAt(tree, "branches"))];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const product = memberAt(branch, "product");
    if (!isAbsent(product)) addProduct(product);
    for (const inner of optionalItemsAt(memberAt(branch, "branches"))) open.push(inner);
  }
  const products = new Map([...names].map(([id, found]) => [id, found.map((image) => ({ image }))] as const));
  let combinations = 0;
  const related = optionalItemsAt(memberAt(tree, "relationships")).map((place) => {
    const idAt = (name: string) => stringAt(memberAt(place, name));
    const components = names.get(idAt("product_reference")) ?? [];
    const images = names.get(idAt("relates_to_product_reference")) ?? [];
    combinations += images.length * components.length;
    if (combinations > maxCombinations) throw unexpected(place, `at most ${maxCombinations} products`);
    const found = images.flatMap((image) => components.map((component) => ({ image, component })));
    return [stringAt(memberAt(memberAt(place, "full_product_name"), "product_id")), found] as const;
  });
  return new Map<string, readonly VexProduct[]>([...products, ...related]);
}

/** The package URL and the digests of a product; its name if it has neither. */
function identifiersAt(product: JsonPlace): readonly string[] {
  const helper = present(memberAt(product, "product_identification_helper"));
  const purl = optionalStringAt(memberAt(helper, "purl"));
  const hashes = optionalItemsAt(memberAt(helper, "hashes")).flatMap((each) =>
    optionalItemsAt(memberAt(each, "file_hashes")).flatMap((hash) =>
      memberAt(hash, "algorithm").value === "sha256" ? [`sha256:${stringAt(memberAt(hash, "value"))}`] : [],
    ),
  );
  const found = purl === undefined ? hashes : [purl, ...hashes];
  return found.length > 0 ? found : [stringAt(memberAt(product, "name"))];
}

/** The place, with an empty object if it is absent. */
function present(place: JsonPlace): JsonPlace {
  return isAbsent(place) ? { ...place, value: {} } : place;
}
