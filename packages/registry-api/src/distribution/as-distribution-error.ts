import { RequestError } from "@plimsoll/http";
import { ContentError, type ContentErrorCode } from "@plimsoll/registry/content-error";
import { RegistryError, type RegistryErrorCode } from "@plimsoll/registry/errors";
import { KeptLimitReached } from "@plimsoll/registry/limits/kept-limits";
import { BlobStoreError, type BlobStoreErrorCode, blobStoreRetrySeconds } from "@plimsoll/registry/ports/blob-store";
import { cannotUse, publicMessage } from "@plimsoll/store";
import type { FastifyRequest } from "fastify";
import { DistributionError, type DistributionErrorCode } from "./distribution-error.ts";

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

/** Refusals of the kernel: too much is sent at the same time. */
function ofRequest({ code, message, retryAfterSeconds }: RequestError): DistributionError {
  const headers = retryAfter(retryAfterSeconds);
  if (code === "too_many_requests") return new DistributionError("TOOMANYREQUESTS", message, { headers });
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
