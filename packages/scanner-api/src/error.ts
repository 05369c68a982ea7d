import type { ScanErrorCode } from "@plimsoll/core";
import type { ErrorAnswer, ErrorTable } from "@plimsoll/http";
import { Type } from "typebox";

/** The body of every refusal. */
export const ErrorDocument = Type.Object(
  {
    code: Type.Optional(Type.String({ description: "For programs." })),
    message: Type.String({ description: "What was expected, what was found and where." }),
  },
  { title: "error" },
);

/** The body of a call to a webhook. */
export const NotificationWebhook = Type.Object(
  {
    notification_id: Type.String({ format: "uuid" }),
    callback: Type.String({ format: "uri", description: "Where the notifications are, page by page." }),
  },
  { title: "notification_webhook" },
);

const badRequest: ErrorAnswer = { status: 400, code: "bad-request" };
const notFound: ErrorAnswer = { status: 404, code: "not-found" };
/** Not the client's mistake, or not for certain: the message is told all the same. */
const failed: ErrorAnswer = { status: 500, code: "internal-error" };

/**
 * How the scanner API answers errors of the engine. Documents and layers that are no such thing are the client's mistake;
 * a layer that cannot be had, or is another than announced, is not known to be.
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

/** What passes; the messages of the database name it, and are for the log. */
const storeErrors = {
  disk_full: outage,
  lock_lost: unavailable,
  locked: unavailable,
  read_only: outage,
  timed_out: unavailable,
  unavailable: outage,
};

/** The errors that the scanner API tells its clients; all others are told to the log only. */
export const scannerErrors: ErrorTable = {
  ScanError: scanErrors,
  NotifierError: notifierErrors,
  StoreError: storeErrors,
};
