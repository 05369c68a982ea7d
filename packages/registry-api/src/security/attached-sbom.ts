import { type Problem, parseDigest, readSbomInSlices, type StatedSbomPackage, sbomKind } from "@plimsoll/core";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { type AttachedContext, readAttachedDocuments } from "./attached-documents.ts";

/** The packages that attached bills of materials state, and what of these cannot be read. */
export interface AttachedPackages {
  readonly packages: readonly StatedSbomPackage[];
  readonly problems: readonly Problem[];
}

/** So many packages are taken of the attached documents of an image: what limits the work of a reader, who did not attach anything. */
const mostPackages = 20_000;

/**
 * The packages with a package URL that bills of materials state which are attached to an image, or to an index that lists it. Every user who
 * may push to the repository can attach them, and so add findings; none takes a finding away.
 */
export async function readAttachedPackages(
  manifest: ImageManifestRow,
  context: AttachedContext,
): Promise<AttachedPackages> {
  let leftOut = 0;
  const slices = { mostEntries: mostPackages, yieldToOthers: cooperativeYield() };
  const parse = async (bytes: Uint8Array, digest: string) => {
    const document = parseDigest(digest);
    const { sbom, leftOut: more } = await readSbomInSlices(bytes, digest, slices);
    leftOut += more;
    return sbom.packages.map((each) => ({ ...each, document }));
  };
  const { read, problems } = await readAttachedDocuments(manifest, context, { kind: sbomKind, parse });
  const named = read.filter(({ purl }) => purl !== undefined && purl !== "");
  const packages = named.slice(0, mostPackages);
  leftOut += named.length - packages.length;
  if (leftOut === 0) return { packages, problems };
  const message = `${leftOut} packages of attached SBOMs were left out: at most ${mostPackages} are taken`;
  return { packages, problems: [...problems, sbomProblem(manifest, message)] };
}

/** What coverage says of packages that were only listed; nothing where there are none. */
export function unmatchedProblems(
  manifest: Pick<ImageManifestRow, "digest">,
  { length }: readonly StatedSbomPackage[],
): readonly Problem[] {
  const message = `${length} packages are stated by attached SBOMs alone: they were not matched with advisories`;
  return length === 0 ? [] : [sbomProblem(manifest, message)];
}

function sbomProblem({ digest: at }: Pick<ImageManifestRow, "digest">, message: string): Problem {
  return { at, code: sbomKind.code, message };
}
