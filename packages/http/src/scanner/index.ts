export { ErrorDocument, scannerErrors } from "./error.ts";
export { BulkDelete, DigestPath, DigestText, ManifestDocument } from "./image.ts";
export { DistributionDocument, inventoryMembers, PackageDocument, RepositoryDocument } from "./inventory.ts";
export { coveredIndexReportType, scannerErrorTrailer, scannerMediaTypes } from "./media-types.ts";
export { VulnerabilityDocument, VulnerabilitySummaries } from "./vulnerability.ts";
