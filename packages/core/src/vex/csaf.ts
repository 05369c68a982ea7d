/**
 * CSAF 2.0, profile VEX.
 *
 * ```
 * { document: { category, publisher: { name }, tracking: { current_release_date } },
 *   product_tree: { branches?: [{ category?, name?, product?, branches? }], full_product_names?: [product],
 *                   relationships?: [{ product_reference, relates_to_product_reference, full_product_name: product }] },
 *   vulnerabilities: [{ cve?, ids?: [{ text }], product_status: { known_not_affected?: [id], fixed?, known_affected?, … },
 *                       flags?: [{ label, product_ids }], threats?: [{ category, details, product_ids }] }] }
 * product = { product_id, name, product_identification_helper?: { purl?, hashes? } }
 * ```
 * @see https://docs.oasis-open.org/csaf/csaf/v2.0/os/csaf-v2.0-os.html#45-profile-5-vex
 */

import {
  eachItemAt,
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import type { Steps } from "../model/slices.ts";
import { instantAt, placeOf } from "./places.ts";
import type { VexProduct, VexStatement, VexStatus } from "./statement.ts";

/** Whether a document is CSAF. */
export function isCsaf(document: JsonPlace): boolean {
  const about = memberAt(document, "document");
  return !isAbsent(about) && typeof memberAt(about, "csaf_version").value === "string";
}

/** Reads the statements of a document. @throws ScanError `malformed_vex` */
export function* csafStatements(document: JsonPlace): Steps<readonly VexStatement[]> {
  const about = memberAt(document, "document");
  const author = optionalStringAt(memberAt(present(memberAt(about, "publisher")), "name"));
  const statedAt = instantAt(memberAt(present(memberAt(about, "tracking")), "current_release_date"));
  const products = yield* productsOf(present(memberAt(document, "product_tree")));
  const common = { author, statedAt };
  const statements: VexStatement[] = [];
  let combinations = 0;
  for (const place of eachItemAt(memberAt(document, "vulnerabilities"))) {
    for (const statement of statementsAt(place, products)) {
      yield;
      if (statement === undefined) continue;
      combinations += statement.vulnerability.length + statement.products.length;
      if (combinations > maxCombinations) throw unexpected(place, `at most ${maxCombinations} names and products`);
      statements.push({ ...statement, ...common });
    }
  }
  return statements;
}

const statuses: readonly (readonly [member: string, status: VexStatus])[] = [
  ["known_not_affected", "not_affected"],
  ["fixed", "fixed"],
  ["first_fixed", "fixed"],
  ["known_affected", "affected"],
  ["under_investigation", "under_investigation"],
];

/** The statements of a vulnerability; undefined for a pause in between. */
function* statementsAt(place: JsonPlace, products: Products): Generator<VexStatement | undefined> {
  const cve = optionalStringAt(memberAt(place, "cve"));
  const vulnerability = cve === undefined ? [] : [cve];
  for (const each of eachItemAt(memberAt(place, "ids"))) {
    vulnerability.push(stringAt(memberAt(each, "text")));
    yield;
  }
  const status = present(memberAt(place, "product_status"));
  const flags = yield* wordsByProduct(memberAt(place, "flags"), "label");
  const threats = yield* wordsByProduct(memberAt(place, "threats"), "details");
  for (const [member, vexStatus] of statuses) {
    for (const idPlace of eachItemAt(memberAt(status, member))) {
      const id = stringAt(idPlace);
      const [justification, detail] = [flags.get(id), threats.get(id)];
      yield {
        vulnerability,
        status: vexStatus,
        products: products.get(id) ?? [],
        place: placeOf(idPlace),
        justification,
        detail,
      };
    }
  }
}

function* wordsByProduct(list: JsonPlace, word: string): Steps<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  for (const place of eachItemAt(list)) {
    for (const id of eachItemAt(memberAt(place, "product_ids"))) {
      words.set(stringAt(id), stringAt(memberAt(place, word)));
      yield;
    }
    yield;
  }
  return words;
}

/**
 * The limit for pairs of an image's and a component's identifier in a document, and for the names and products of its statements, which share
 * them. Without it, the number of pairs grows with the square of the
 * document's size and would fill the memory.
 */
const maxCombinations = 1_000_000;

type Products = ReadonlyMap<string, readonly VexProduct[]>;

/** The products of each product id. */
function* productsOf(tree: JsonPlace): Steps<Products> {
  const names = yield* namesOf(tree);
  const products = new Map<string, readonly VexProduct[]>();
  for (const [id, found] of names) {
    products.set(
      id,
      found.map(({ id: image, versions }) =>
        versions === undefined ? { image } : { image, versions: { image: versions } },
      ),
    );
    yield;
  }
  let combinations = 0;
  for (const place of eachItemAt(memberAt(tree, "relationships"))) {
    const idAt = (name: string) => stringAt(memberAt(place, name));
    const components = names.get(idAt("product_reference")) ?? [];
    const images = names.get(idAt("relates_to_product_reference")) ?? [];
    combinations += images.length * components.length;
    if (combinations > maxCombinations) throw unexpected(place, `at most ${maxCombinations} products`);
    const found: VexProduct[] = [];
    for (const image of images) {
      for (const component of components) found.push(pairOf(image, component));
      yield;
    }
    products.set(stringAt(memberAt(memberAt(place, "full_product_name"), "product_id")), found);
    yield;
  }
  return products;
}

/** The name of a product, and the versions that the document says apart from it. */
interface Identifier {
  readonly id: string;
  readonly versions?: readonly string[];
}

function pairOf(image: Identifier, component: Identifier): VexProduct {
  const names = { image: image.id, component: component.id };
  if (image.versions === undefined && component.versions === undefined) return names;
  return { ...names, versions: { image: image.versions, component: component.versions } };
}

/** The identifiers of each product id. Branches are walked without recursion, because the document determines the nesting depth. */
function* namesOf(tree: JsonPlace): Steps<ReadonlyMap<string, readonly Identifier[]>> {
  const names = new Map<string, readonly Identifier[]>();
  const addProduct = (product: JsonPlace, versions?: readonly string[]) =>
    names.set(stringAt(memberAt(product, "product_id")), identifiersAt(product, versions));
  for (const product of eachItemAt(memberAt(tree, "full_product_names"))) {
    addProduct(product);
    yield;
  }
  const open = [eachItemAt(memberAt(tree, "branches"))];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const { value: branch, done } = innermost.next();
    yield;
    if (done) {
      open.pop();
      continue;
    }
    const product = memberAt(branch, "product");
    if (!isAbsent(product)) addProduct(product, versionsOf(branch));
    open.push(eachItemAt(memberAt(branch, "branches")));
  }
  return names;
}

/** The versions that a branch is about: a range, or a version that is not the name of a file or package. */
function versionsOf(branch: JsonPlace): readonly string[] | undefined {
  const [category, name = ""] = ["category", "name"].map((each) => optionalStringAt(memberAt(branch, each)));
  const isStated = category === "product_version_range" || (category === "product_version" && /^v?\d/i.test(name));
  return isStated ? [name] : undefined;
}

/** Whether a package URL names a version. */
function hasVersion(purl: string): boolean {
  const [path = ""] = purl.split(/[?#]/, 1);
  return path.lastIndexOf("@") > path.lastIndexOf("/") + 1;
}

/**
 * The package URL and the digests of a product; its name if it has neither.
 * @param versions of its branch, which count where no identifier has one
 */
function identifiersAt(product: JsonPlace, versions?: readonly string[]): readonly Identifier[] {
  const helper = present(memberAt(product, "product_identification_helper"));
  const purl = optionalStringAt(memberAt(helper, "purl"));
  const hashes = optionalItemsAt(memberAt(helper, "hashes")).flatMap((each) =>
    optionalItemsAt(memberAt(each, "file_hashes")).flatMap((hash) =>
      memberAt(hash, "algorithm").value === "sha256" ? [`sha256:${stringAt(memberAt(hash, "value"))}`] : [],
    ),
  );
  const package_ = { id: purl ?? "", versions: hasVersion(purl ?? "") ? undefined : versions };
  const found = [...(purl === undefined ? [] : [package_]), ...hashes.map((id) => ({ id }))];
  return found.length > 0 ? found : [{ id: stringAt(memberAt(product, "name")) }];
}

/** The place, with an empty object if it is absent. */
function present(place: JsonPlace): JsonPlace {
  return isAbsent(place) ? { ...place, value: {} } : place;
}
