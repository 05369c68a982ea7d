import { RequestError } from "@plimsoll/http";
import { ContentError, type ContentErrorCode } from "@plimsoll/registry/content-error";
import { RegistryError, type RegistryErrorCode } from "@plimsoll/registry/errors";
import { KeptLimitReached } from "@plimsoll/registry/limits/kept-limits";
import { BlobStoreError, type BlobStoreErrorCode, blobStoreRetrySeconds } from "@plimsoll/registry/ports/blob-store";
import { cannotUse, publicMessage } from "@plimsoll/store";
import type { FastifyRequest } from "fastify";

/**
 * The codes of the protocol and the status of each.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 */
export const distributionStatuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DENIED: 403,
  DIGEST_INVALID: 400,
  INVALID_REQUEST: 400,
  MANIFEST_BLOB_UNKNOWN: 400,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  PRECONDITION_FAILED: 412,
  RANGE_INVALID: 416,
  SIZE_INVALID: 400,
  TAG_INVALID: 400,
  TOOMANYREQUESTS: 429,
  TOO_MANY_TAGS_REQUESTED: 414,
  UNAUTHORIZED: 401,
  UNKNOWN: 500,
  UNSUPPORTED: 405,
} as const;

/** One of {@link distributionStatuses}. */
export type DistributionErrorCode = keyof typeof distributionStatuses;

/** Options of a {@link DistributionError}. */
export interface DistributionErrorOptions {
  readonly cause?: unknown;
  /** The status, if it differs from that of the code. */
  readonly status?: number;
  /** Whether the registry is read-only: the body then has `is_readonly`. */
  readonly isReadOnly?: boolean;
  /** Becomes `detail`. */
  readonly detail?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response of the protocol. The message is for the caller. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
  readonly code: DistributionErrorCode;
  readonly status: number;
  readonly detail: unknown;
  readonly isReadOnly: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: DistributionErrorCode, message: string, options: DistributionErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? distributionStatuses[code];
    this.detail = options.detail;
    this.isReadOnly = options.isReadOnly ?? false;
    this.headers = options.headers ?? {};
  }

  /** The body of the response. */
  toJSON(): unknown {
    const { code, message, detail, isReadOnly } = this;
    const errors = [{ code, message, detail }];
    return { errors, is_readonly: isReadOnly ? true : undefined };
  }
}

/** Turns any thrown value into an error of the protocol. Unexpected failures are written to the log only. */
export function asDistributionError(thrown: unknown, { id }: Pick<FastifyRequest, "id">): DistributionError {
  if (thrown instanceof DistributionError) return thrown;
  if (thrown instanceof ContentError) return ofContent(thrown);
  if (thrown instanceof BlobStoreError) return ofBlobs(thrown);
  if (thrown instanceof KeptLimitReached) return translate(thrown, ["DENIED"]);
  if (thrown instanceof RegistryError) return ofRegistry(thrown);
  if (thrown instanceof RequestError) return ofRequest(thrown);
  if (cannotUse(thrown)) {
    return new DistributionError("UNKNOWN", publicMessage(thrown), {
      status: thrown.code === "disk_full" ? 507 : 503,
      headers: { "retry-after": String(thrown.retryAfterSeconds) },
      cause: thrown,
    });
  }
  return new DistributionError("UNKNOWN", `internal error; the log has it under request ${id}`, { cause: thrown });
}

/**
 * Turns an error of the registry into one of the protocol. It says when to try again, if the error does, or if something is down that the
 * registry depends on.
 */
export function ofRegistry(error: RegistryError): DistributionError {
  const { code, status } = translate(error, registryErrors[error.code] ?? ["INVALID_REQUEST"]);
  const { retryAfterSeconds = code === "UNKNOWN" ? outageRetrySeconds : undefined } = error;
  const headers = retryAfter(retryAfterSeconds);
  return new DistributionError(code, error.message, { status, headers, cause: error });
}

function ofContent(error: ContentError): DistributionError {
  const { message, detail, retryAfterSeconds } = error;
  const [code, status] = contentErrors[error.code];
  return new DistributionError(code, message, { status, detail, headers: retryAfter(retryAfterSeconds), cause: error });
}

/** Refusals of the kernel: too much is sent at the same time, or a condition is not met. */
function ofRequest({ code, message, retryAfterSeconds }: RequestError): DistributionError {
  const headers = retryAfter(retryAfterSeconds);
  if (code === "too_many_requests") return new DistributionError("TOOMANYREQUESTS", message, { headers });
  if (code === "precondition_failed") return new DistributionError("PRECONDITION_FAILED", message);
  if (code === "unavailable") return new DistributionError("UNKNOWN", message, { status: 503, headers });
  return new DistributionError("INVALID_REQUEST", message, { headers });
}

/** Details of an unavailable store are only logged, because they may contain keys. Those of a damaged blob are logged with the blob. */
function ofBlobs(error: BlobStoreError): DistributionError {
  if (error.code === "damaged")
    return new DistributionError("BLOB_UNKNOWN", "the blob is damaged: push it again", { cause: error });
  const translated = translate(error, blobErrors[error.code]);
  if (error.code !== "unavailable") return translated;
  const { code, status } = translated;
  const headers = { "retry-after": String(blobStoreRetrySeconds) };
  return new DistributionError(code, "the blob store cannot be used at the moment", { status, headers, cause: error });
}

/** After how many seconds a client may try again when another service is down, such as the directory. */
const outageRetrySeconds = 30;

type Translation = readonly [code: DistributionErrorCode, status?: number];

const blobErrors: Readonly<Record<BlobStoreErrorCode, Translation>> = {
  not_found: ["BLOB_UNKNOWN"],
  damaged: ["BLOB_UNKNOWN"],
  wrong_offset: ["RANGE_INVALID"],
  wrong_digest: ["DIGEST_INVALID"],
  too_large: ["SIZE_INVALID", 413],
  unavailable: ["UNKNOWN", 503],
  full: ["UNKNOWN", 507],
};

const contentErrors: Readonly<Record<ContentErrorCode, Translation>> = {
  blob_unknown: ["BLOB_UNKNOWN"],
  digest_invalid: ["DIGEST_INVALID"],
  manifest_invalid: ["MANIFEST_INVALID"],
  manifest_needed: ["UNSUPPORTED"],
  manifest_unknown: ["MANIFEST_UNKNOWN"],
  manifest_unsupported: ["MANIFEST_INVALID", 415],
  part_unknown: ["MANIFEST_BLOB_UNKNOWN"],
  quota_exceeded: ["DENIED"],
  repository_unknown: ["NAME_UNKNOWN"],
  too_many_tags: ["TOO_MANY_TAGS_REQUESTED"],
  upload_unknown: ["BLOB_UPLOAD_UNKNOWN"],
  upstream_failed: ["UNKNOWN", 502],
  upstream_limited: ["TOOMANYREQUESTS"],
  upstream_unavailable: ["UNKNOWN", 503],
};

const registryErrors: Readonly<Partial<Record<RegistryErrorCode, Translation>>> = {
  downstream_issue: ["UNKNOWN", 503],
  invalid_token: ["UNAUTHORIZED"],
  not_found: ["NAME_UNKNOWN"],
  read_only: ["DENIED", 503],
  tag_immutable: ["DENIED", 409],
  too_large: ["SIZE_INVALID", 413],
  too_many_requests: ["TOOMANYREQUESTS"],
  unavailable: ["UNKNOWN", 503],
};

function translate(cause: Error, [code, status]: Translation): DistributionError {
  return new DistributionError(code, cause.message, { cause, status });
}

function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { "retry-after": String(seconds) };
}
