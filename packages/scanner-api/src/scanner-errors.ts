import type { ScanErrorCode } from "@plimsoll/core";
import type { ErrorAnswer, ErrorTable } from "@plimsoll/http";
import { Type } from "typebox";

/** The body of every error response. */
export const ErrorDocument = Type.Object(
  {
    code: Type.Optional(Type.String({ description: "A stable identifier of the error, for programs." })),
    message: Type.String({ description: "What was expected, what was found, and where." }),
  },
  { title: "error" },
);

const badRequest: ErrorAnswer = { status: 400, code: "bad-request" };
const notFound: ErrorAnswer = { status: 404, code: "not-found" };
/** The client's mistake or not: the client gets the message in either case. */
const failed: ErrorAnswer = { status: 500, code: "internal-error" };

/**
 * The scanner API's responses to errors of the engine. An invalid document or layer is the client's mistake (400); a layer that
 * cannot be fetched or does not match its digest may not be (500).
 */
const scanErrors: Partial<Readonly<Record<ScanErrorCode, ErrorAnswer>>> = {
  deleted: { status: 409, code: "conflict" },
  digest_mismatch: failed,
  entry_limit: badRequest,
  incomparable_operations: badRequest,
  layer_corrupt: badRequest,
  layer_ratio: badRequest,
  layer_too_costly: badRequest,
  layer_too_large: badRequest,
  layer_truncated: badRequest,
  malformed_archive: badRequest,
  malformed_digest: badRequest,
  malformed_manifest: badRequest,
  malformed_summary: badRequest,
  memory_limit: failed,
  not_found: notFound,
  not_permitted: badRequest,
  service_unavailable: { status: 503, code: "service-unavailable", isLoggedElsewhere: true },
  size_mismatch: failed,
  source_unreachable: failed,
  timed_out: failed,
  unauthorized: failed,
  unsupported_compression: badRequest,
  unsupported_digest: badRequest,
  unsupported_media_type: badRequest,
  unsupported_source: badRequest,
};

const notifierErrors = {
  malformed_page_size: badRequest,
  unknown_page_token: badRequest,
  malformed_page_token: badRequest,
  malformed_set_id: badRequest,
};

const database = "the database cannot be used at the moment: try again later";
const unavailable: ErrorAnswer = { status: 503, code: "unavailable", message: database };
const outage: ErrorAnswer = { ...unavailable, isLoggedElsewhere: true };

/** Temporary errors. The database's own messages name the database, so only the log has them. */
const storeErrors = {
  disk_full: outage,
  lock_lost: unavailable,
  locked: unavailable,
  read_only: outage,
  timed_out: unavailable,
  unavailable: outage,
};

/** The errors whose messages the scanner API shows to its clients; all others are only logged. */
export const scannerErrors: ErrorTable = {
  ScanError: scanErrors,
  NotifierError: notifierErrors,
  StoreError: storeErrors,
};
