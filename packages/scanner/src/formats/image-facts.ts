import { ScanError } from "@plimsoll/core";
import {
  addressOf,
  type Party,
  pageOf,
  partiesOf,
  partyOf,
  spdxExpression,
  withoutUndefined,
} from "@plimsoll/core/internal";
import { formatPurl, type Purl } from "@plimsoll/core/purl";
import type { DocumentStamp, ReportedImage } from "./reported-image.ts";

/** What an image says about itself by the labels that OCI defines, and what its user says. */
export interface ImageFacts {
  readonly supplier?: Party;
  readonly authors: readonly Party[];
  /** An SPDX expression. */
  readonly license?: string;
  readonly description?: string;
  readonly homepage?: string;
  readonly sourceAddress?: string;
  readonly documentation?: string;
  /** The version that its maker gave it: `1.2.3`. */
  readonly version?: string;
  /** The commit of its sources. */
  readonly revision?: string;
}

/** Longer labels are cut. */
const maxLabel = 512;

/**
 * The facts about an image as a whole.
 *
 * @see https://github.com/opencontainers/image-spec/blob/main/annotations.md
 */
export function imageFacts({ config }: ReportedImage, stamp: DocumentStamp): ImageFacts {
  const label = (name: string) => {
    const text = config?.labels?.[`org.opencontainers.image.${name}`]?.slice(0, maxLabel).trim();
    return text === "" ? undefined : text?.toWellFormed();
  };
  const vendor = stamp.supplier ?? label("vendor");
  return {
    supplier: vendor === undefined ? undefined : partyOf(vendor),
    authors: partiesOf(label("authors") ?? ""),
    license: spdxExpression(label("licenses") ?? ""),
    description: label("description"),
    homepage: pageOf(label("url")),
    sourceAddress: addressOf(label("source")),
    documentation: pageOf(label("documentation")),
    version: label("version"),
    revision: label("revision"),
  };
}

/**
 * The package URL of an image: its name, the digest of its manifest, and the repository and tag if its reference has them. Only the digest,
 * if the image's own texts are too long or not valid in a package URL.
 *
 * @see https://github.com/package-url/purl-spec/blob/main/types-doc/oci-definition.md
 */
export function imagePurl(image: ReportedImage): Purl {
  try {
    return wholePurl(image);
  } catch (error) {
    if (!(error instanceof ScanError && error.code === "malformed_purl")) throw error;
    return formatPurl({ type: "oci", name: "image", version: image.index.manifestDigest, qualifiers: {} });
  }
}

function wholePurl({ reference, index, platform }: ReportedImage): Purl {
  const [repository = "", tag] = splitReference(reference.toWellFormed());
  const name = repository.slice(repository.lastIndexOf("/") + 1) || "image";
  return formatPurl({
    type: "oci",
    name,
    version: index.manifestDigest,
    qualifiers: withoutUndefined({
      arch: platform?.architecture,
      repository_url: repository.includes("/") ? repository : undefined,
      tag,
    }),
  });
}

/** The image under no name. What identifies a document is made of it: the same image has the same documents, by whatever tag or digest it was asked for. */
export function withoutName<Image extends ReportedImage>(image: Image): Image {
  return { ...image, reference: "" };
}

/** The part of the addresses of a document that says what it is about: the repository without a tag or digest. */
export function addressPart({ reference }: ReportedImage): string {
  const [repository] = splitReference(reference.toWellFormed());
  return encodeURIComponent(repository);
}

/** Splits `host:5000/name:tag@digest` into repository and tag. */
function splitReference(reference: string): readonly [repository: string, tag?: string] {
  const at = reference.indexOf("@");
  const named = at < 0 ? reference : reference.slice(0, at);
  const colon = named.lastIndexOf(":");
  if (colon < 0 || named.slice(colon).includes("/")) return [named];
  return [named.slice(0, colon), named.slice(colon + 1)];
}
