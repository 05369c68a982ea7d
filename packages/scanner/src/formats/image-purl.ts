import { ScanError } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import { formatPurl, type Purl } from "@plimsoll/core/purl";
import type { ReportedImage } from "./reported-image.ts";

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

/** Splits `host:5000/name:tag@digest` into repository and tag. */
function splitReference(reference: string): readonly [repository: string, tag?: string] {
  const at = reference.indexOf("@");
  const named = at < 0 ? reference : reference.slice(0, at);
  const colon = named.lastIndexOf(":");
  if (colon < 0 || named.slice(colon).includes("/")) return [named];
  return [named.slice(0, colon), named.slice(colon + 1)];
}
