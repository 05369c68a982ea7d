/** Bills of materials as input. */
export type { StatedSbomPackage } from "../sbom/add-stated-packages.ts";
export { purlReport } from "../sbom/purl-report.ts";
export { readSbom } from "../sbom/read-sbom.ts";
export type { Sbom, SbomFormat, SbomGaps, SbomPackage, SbomProblem, SbomSubject } from "../sbom/sbom.ts";
export { sbomReport } from "../sbom/sbom-report.ts";
