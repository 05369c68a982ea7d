/** Bills of materials as input. */
export { purlReport } from "../sbom/purl-report.ts";
export { readSbom } from "../sbom/read-sbom.ts";
export type { Sbom } from "../sbom/sbom.ts";
export { sbomReport } from "../sbom/sbom-report.ts";
