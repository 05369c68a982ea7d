export { BulkDelete, DigestPath, DigestText, ManifestDigests, ManifestDocument, reportBounds } from "./image.ts";
export {
  DistributionDocument,
  IndexReportDocument,
  inventoryMembers,
  PackageDocument,
  RepositoryDocument,
} from "./inventory.ts";
export { NotificationWebhook } from "./notification-webhook.ts";
export { ErrorDocument, scannerErrors } from "./scanner-errors.ts";
export {
  coveredIndexReportType,
  coveredReportType,
  describedIndexReportType,
  relatedDiffType,
  reportLines,
  ruledVulnerabilitiesType,
  type ScannerOperation,
  scannerCoverageHeader,
  scannerErrorTrailer,
  scannerMediaTypes,
  scannerOperation,
} from "./scanner-operation.ts";
export { PublishedSummaries, VulnerabilityDocument, VulnerabilitySummaries } from "./vulnerability.ts";
