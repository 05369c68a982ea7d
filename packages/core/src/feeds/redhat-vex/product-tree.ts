/**
 * The products of a CSAF document and their components.
 *
 * ```
 * product_tree = { branches?: [branch], full_product_names?: [product], relationships?: [relationship] }
 * branch       = { category, name, product?, branches?: [branch] }
 * product      = { product_id, product_identification_helper?: { cpe?, purl? } }
 * relationship = { category: "default_component_of", full_product_name: product,
 *                  product_reference: id of the component, relates_to_product_reference: id of what it is a part of }
 * ```
 * @see https://docs.oasis-open.org/csaf/csaf/v2.0/os/csaf-v2.0-os.html#3132-product-tree
 */
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import { malformedRecord } from "../shared/malformed-feed.ts";

/** A component of a product. */
export interface ProductComponent {
  /** The component's own id. */
  readonly id: string;
  readonly purl?: string;
  /** The package URL of the module between the component and the product. */
  readonly modulePurl?: string;
  /** The CPE name of the product. */
  readonly cpe: string;
}

/** Finds a component by its product id; undefined where the id is not a component of a product with a CPE name. */
export type FindComponent = (id: string) => ProductComponent | undefined;

/** The maximal number of relationships between a component and its product: package, module, stream of the module. Red Hat uses up to three. */
const maxRelationships = 5;

interface Product {
  readonly cpe?: string;
  readonly purl?: string;
}

interface Relationship {
  readonly component: string;
  readonly whole: string;
}

/** Reads a product tree. The returned function throws ScanError `malformed_feed` for a product that contains itself. */
export function readProductTree(tree: JsonPlace): FindComponent {
  const products = readProducts(tree);
  const relationships = readRelationships(tree, products);
  return (id) => {
    const [component, whole] = [componentOf(id, relationships), wholesOf(id, relationships)];
    const found = [...whole].map((each) => products.get(each));
    const cpe = found.findLast((product) => product?.cpe !== undefined)?.cpe;
    if (cpe === undefined || whole.length === 0) return undefined;
    const purl = products.get(component)?.purl;
    const modulePurl = found.find((product) => product?.purl?.startsWith("pkg:rpmmod/"))?.purl;
    return { id: component, cpe, purl, modulePurl };
  };
}

type Relationships = ReadonlyMap<string, Relationship>;

/** The id at the end of the references to components. */
function componentOf(id: string, relationships: Relationships): string {
  let last = id;
  for (let steps = 0; steps <= maxRelationships; steps++) {
    const next = relationships.get(last)?.component;
    if (next === undefined) return last;
    last = next;
  }
  throw endless(id);
}

/** All products and modules that contain a component, from the inside out, with the ids of their own components. */
function wholesOf(id: string, relationships: Relationships): readonly string[] {
  const wholes: string[] = [];
  let at = relationships.get(id);
  for (let steps = 0; at !== undefined; steps++) {
    if (steps > maxRelationships) throw endless(id);
    const outer = relationships.get(at.whole);
    if (outer !== undefined) wholes.push(componentOf(at.whole, relationships));
    wholes.push(at.whole);
    at = outer;
  }
  return wholes;
}

function endless(id: string) {
  return malformedRecord(
    `more than ${maxRelationships} relationships from the product ${JSON.stringify(id.slice(0, 200))}`,
  );
}

/** Walks branches without recursion, since the document decides how deeply they are nested. */
function readProducts(tree: JsonPlace): Map<string, Product> {
  const products = new Map<string, Product>();
  const add = (place: JsonPlace) => products.set(stringAt(memberAt(place, "product_id")), productAt(place));
  if (isAbsent(tree)) return products;
  optionalItemsAt(memberAt(tree, "full_product_names")).forEach(add);
  const open = [...optionalItemsAt(memberAt(tree, "branches"))];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const product = memberAt(branch, "product");
    if (!isAbsent(product)) add(product);
    for (const inner of optionalItemsAt(memberAt(branch, "branches"))) open.push(inner);
  }
  return products;
}

function readRelationships(tree: JsonPlace, products: Map<string, Product>): Relationships {
  const relationships = new Map<string, Relationship>();
  if (isAbsent(tree)) return relationships;
  for (const place of optionalItemsAt(memberAt(tree, "relationships"))) {
    if (memberAt(place, "category").value !== "default_component_of") continue;
    const full = memberAt(place, "full_product_name");
    const id = stringAt(memberAt(full, "product_id"));
    const component = stringAt(memberAt(place, "product_reference"));
    relationships.set(id, { component, whole: stringAt(memberAt(place, "relates_to_product_reference")) });
    const product = productAt(full);
    if (product.cpe !== undefined || product.purl !== undefined) products.set(id, product);
  }
  return relationships;
}

function productAt(place: JsonPlace): Product {
  const helper = memberAt(place, "product_identification_helper");
  if (isAbsent(helper)) return {};
  const [cpe, purl] = [optionalStringAt(memberAt(helper, "cpe")), optionalStringAt(memberAt(helper, "purl"))];
  return { cpe, purl };
}
