/**
 * The stable codes of errors in reading images and feeds. `docs/reference/errors.md` explains each code and its remedy;
 * a test keeps the two lists equal.
 */
export const scanErrorCodes = [
  "aborted",
  "before_history",
  "closed",
  "deleted",
  "digest_mismatch",
  "entry_limit",
  "feed_unreachable",
  "incomparable_operations",
  "layer_corrupt",
  "layer_ratio",
  "layer_too_costly",
  "layer_too_large",
  "layer_truncated",
  "malformed_archive",
  "malformed_cpe",
  "malformed_cvss",
  "malformed_digest",
  "malformed_feed",
  "malformed_image",
  "malformed_manifest",
  "malformed_package_db",
  "malformed_purl",
  "malformed_report",
  "malformed_sbom",
  "malformed_summary",
  "malformed_template",
  "malformed_version",
  "malformed_vex",
  "memory_limit",
  "no_advisories",
  "no_such_platform",
  "not_found",
  "not_permitted",
  "service_unavailable",
  "size_mismatch",
  "source_unreachable",
  "timed_out",
  "unauthorized",
  "unsupported_compression",
  "unsupported_digest",
  "unsupported_media_type",
  "unsupported_source",
  "vex_too_costly",
] as const;

/** One of {@link scanErrorCodes}. */
export type ScanErrorCode = (typeof scanErrorCodes)[number];

/**
 * An error of the engine and of the sources it reads. The message says what was expected, what was found and where;
 * `code` is for programs.
 * @example
 * try {
 *   parsePurl("deb/debian/zlib1g");
 * } catch (error) {
 *   if (error instanceof ScanError && error.code === "malformed_purl") console.error(error.message);
 * }
 */
export class ScanError extends Error {
  override readonly name = "ScanError";
  readonly code: ScanErrorCode;

  constructor(code: ScanErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
