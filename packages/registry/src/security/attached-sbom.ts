import { parseDigest } from "@plimsoll/core/digest";
import { gapMessage, readSbomInSlices, sbomKind } from "@plimsoll/core/internal";
import type { Json, Problem } from "@plimsoll/core/report";
import type { StatedSbomPackage } from "@plimsoll/core/sbom";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import { type AttachedContext, readAttachedDocuments } from "./attached-documents.ts";

/** The packages in attached bills of materials, and the problems of reading these. */
export interface AttachedPackages {
  readonly packages: readonly StatedSbomPackage[];
  readonly problems: readonly Problem[];
}

/** How many packages of the attached documents of an image are used at most. */
const mostPackages = 20_000;

/**
 * Reads the packages with a package URL or a CPE name in bills of materials that are attached to an image, or to an index that lists it. Every user who
 * may push to the repository can attach them. They can add findings, but never remove one.
 */
export async function readAttachedPackages(
  manifest: ImageManifestRow,
  context: AttachedContext,
): Promise<AttachedPackages> {
  let leftOut = 0;
  const incomplete: Problem[] = [];
  const slices = { mostEntries: mostPackages, yieldToOthers: cooperativeYield() };
  const read = async (sbomJson: NonNullable<Json>, digest: string) => {
    const document = parseDigest(digest);
    const { sbom, leftOut: more } = await readSbomInSlices(sbomJson, digest, slices);
    leftOut += more;
    if (sbom.gaps) incomplete.push({ at: digest, code: sbomKind.code, message: gapMessage(sbom.gaps) });
    return sbom.packages.map((each) => ({ ...each, document }));
  };
  const { documents, problems: unread } = await readAttachedDocuments(manifest, context, { kind: sbomKind, read });
  const problems = [...unread, ...incomplete];
  const named = documents.flatMap((each) => each.read).filter(isNamed);
  const packages = named.slice(0, mostPackages);
  leftOut += named.length - packages.length;
  if (leftOut === 0) return { packages, problems };
  const message = `${leftOut} packages of attached SBOMs were left out: at most ${mostPackages} are taken`;
  return { packages, problems: [...problems, sbomProblem(manifest, message)] };
}

/** Whether a package URL or a CPE name says which package it is. Other entries mostly are files and parts of the product itself. */
function isNamed({ purl = "", package: { cpe } }: StatedSbomPackage): boolean {
  return purl !== "" || cpe !== undefined;
}

/** The problem for the coverage if some packages could not be matched. */
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
