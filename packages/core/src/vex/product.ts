import { ScanError } from "../errors.ts";
import { type PackageUrl, parsePurl } from "../model/purl.ts";
import type { VexProduct } from "./statement.ts";

/** The image to which statements are applied. */
export interface StatedImage {
  /** The digests of its manifest, its configuration, and indexes that list it. */
  readonly digests: readonly string[];
  /** The name of the image: `registry.example/team/app:1.2`. */
  readonly reference?: string;
}

/** Whether a product is the image, or a package of it. @param purl of the package; undefined if its kind has none */
export function isProduct({ image, component }: VexProduct, stated: StatedImage, purl: string | undefined): boolean {
  if (component !== undefined) {
    return (image === undefined || isImage(image, stated)) && purl !== undefined && purlCovers(component, purl);
  }
  if (image === undefined) return true;
  return isImage(image, stated) || (purl !== undefined && purlCovers(image, purl)); // a product may be a package itself
}

function isImage(product: string, { digests, reference = "" }: StatedImage): boolean {
  if (product === "") return false;
  const oci = product.startsWith("pkg:oci/") || product.startsWith("pkg:docker/") ? findPurl(product) : undefined;
  if (oci === undefined) return digests.includes(product) || product === reference || product === untagged(reference);
  const { name, version, qualifiers } = oci;
  if (version !== undefined && digests.includes(version)) return true;
  if (version?.startsWith("sha256:") === true) return false;
  const tag = qualifiers.tag ?? version;
  const repository = qualifiers.repository_url?.toLowerCase();
  const own = untagged(reference).toLowerCase();
  const isNamed = repository === undefined ? own.split("/").at(-1) === name.toLowerCase() : own === repository;
  return isNamed && (tag === undefined || reference.endsWith(`:${tag}`));
}

/** `registry.example/app:1@sha256:…` → `registry.example/app` */
function untagged(reference: string): string {
  const named = reference.split("@", 1)[0] ?? "";
  const colon = named.lastIndexOf(":");
  return colon > named.lastIndexOf("/") ? named.slice(0, colon) : named;
}

/**
 * Whether a package URL of a statement is about a package: type, namespace and name are equal, and so are the version and each
 * qualifier that the statement names.
 * @example
 * purlCovers("pkg:npm/lodash", "pkg:npm/lodash@4.17.20"); // true
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md#software-identifiers
 * @example
 * purlCovers("pkg:deb/debian/zlib1g", "pkg:deb/debian/zlib1g@1.2?arch=amd64"); // true
 */
export function purlCovers(pattern: string, purl: string): boolean {
  if (pattern === purl) return true;
  const [wanted, found] = [findPurl(pattern), findPurl(purl)];
  if (wanted === undefined || found === undefined) return false;
  return (
    wanted.type === found.type &&
    wanted.namespace === found.namespace &&
    wanted.name === found.name &&
    (wanted.version === undefined || wanted.version === found.version) &&
    Object.entries(wanted.qualifiers).every(([key, value]) => found.qualifiers[key] === value)
  );
}

/** The parsed package URL; undefined if the text is not one. */
export function findPurl(text: string): PackageUrl | undefined {
  if (!text.startsWith("pkg:")) return undefined;
  try {
    return parsePurl(text);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
