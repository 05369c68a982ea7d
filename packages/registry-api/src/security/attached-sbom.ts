import { type Problem, readSbom, type SbomPackage, sbomKind } from "@plimsoll/core";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { type AttachedContext, readAttachedDocuments } from "./attached-documents.ts";

/** A package that only an attached bill of materials states. */
export interface StatedPackage {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  /** The digest of the document. */
  readonly sbom: string;
}

/** The packages that attached bills of materials state, and what of these cannot be read. */
export interface StatedPackages {
  readonly packages: readonly StatedPackage[];
  readonly problems: readonly Problem[];
}

/** So many packages are shown of the attached documents of an image. */
const mostPackages = 20_000;

/** Packages that no document states. */
export const noStatedPackages: StatedPackages = { packages: [], problems: [] };

/**
 * The packages that bills of materials state which are attached to an image, or to an index that lists it: of the kinds of which its layers gave none.
 * They were not seen in the image, and are not matched with advisories.
 * @param seen the package URLs of what the layers gave
 */
export async function readStatedPackages(
  manifest: ImageManifestRow,
  context: AttachedContext,
  seen: readonly string[],
): Promise<StatedPackages> {
  const parse = (bytes: Uint8Array, digest: string) =>
    readSbom(bytes, digest).packages.map((each) => ({ ...each, sbom: digest }));
  const { read, problems } = await readAttachedDocuments(manifest, context, { kind: sbomKind, parse });
  const kinds = new Set(seen.map(kindOf));
  const stated = new Map(
    read.flatMap((each) => {
      const found = statedPackage(each);
      return found === undefined || kinds.has(kindOf(found.purl)) ? [] : [[found.purl, found] as const];
    }),
  );
  const packages = [...stated.values()].slice(0, mostPackages);
  if (packages.length === 0) return { packages, problems };
  const left = stated.size > packages.length ? `, and ${stated.size - packages.length} more are not shown` : "";
  const message = `${packages.length} packages are stated by attached SBOMs alone: they were not matched with advisories${left}`;
  return { packages, problems: [...problems, { at: manifest.digest, code: sbomKind.code, message }] };
}

/** What is shown of a package; undefined for one whose kind is not known. */
function statedPackage({ package: { name, version }, purl, sbom }: SbomPackage & { readonly sbom: string }) {
  return purl === undefined || purl === "" ? undefined : { name, version, purl, sbom };
}

/** The type of a package URL: `deb`, `npm`. */
function kindOf(purl: string): string {
  return /^pkg:\/*([^/]+)/.exec(purl)?.[1]?.toLowerCase() ?? "";
}
