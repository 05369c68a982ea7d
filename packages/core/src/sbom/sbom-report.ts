import { listReport, type StatedPackage } from "../index/list-report.ts";
import type { Digest } from "../model/digest.ts";
import type { IndexReport } from "../model/index-report.ts";
import type { Sbom, SbomPackage } from "./sbom.ts";

/**
 * The index report of a bill of materials. A package is found at its locations, or in the document if it has none.
 *
 * @param name of the document
 * @param digest of its bytes
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const sbom = readSbom(await readFile("app.cdx.json"), "app.cdx.json");
 * const report = sbomReport(sbom, { name: "app.cdx.json", digest: parseDigest(`sha256:${"0".repeat(64)}`) });
 */
export function sbomReport(
  sbom: Sbom,
  { name, digest }: { readonly name: string; readonly digest: Digest },
): IndexReport {
  return listReport({
    digest,
    packages: sbom.packages.flatMap((found) => placesOf(found, name)),
    problems: sbom.problems.map(({ at, message }) => ({ at: `${name}: ${at}`, code: "malformed-sbom", message })),
  });
}

/** One entry for each location of a package; a package without locations is in the document. */
export function placesOf(
  { package: found, purl, distribution, repositories, locations }: SbomPackage,
  name: string,
): StatedPackage[] {
  const places = locations.length === 0 ? [name] : locations;
  return places.map((packageDb) => ({
    name: purl ?? found.name,
    package: found,
    packageDb,
    repositories,
    ...(distribution !== undefined && { distribution }),
  }));
}
