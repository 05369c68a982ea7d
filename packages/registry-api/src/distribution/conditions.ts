import { type ConditionHeaders, judgeConditions } from "@plimsoll/http";
import { type Exchange, sendEmpty } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/**
 * Answers a GET or HEAD with 304 if its conditions show that the client has the content already.
 * @param headers the headers of the 304 response
 * @returns whether the request was answered
 * @throws DistributionError `PRECONDITION_FAILED`
 */
export function answerUnchanged(
  { request, response }: Exchange,
  digest: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  const outcome = judgeConditions(request.headers, { tag: digest, isRead: true });
  if (outcome === "failed") throw preconditionFailed();
  if (outcome === "unchanged") sendEmpty(response, 304, headers);
  return outcome === "unchanged";
}

/** Checks the conditions of a change. @param digest the digest of the current content @throws DistributionError `PRECONDITION_FAILED` */
export function checkConditions(headers: ConditionHeaders, digest: string | undefined): void {
  if (judgeConditions(headers, { tag: digest, isRead: false }) !== "met") throw preconditionFailed();
}

function preconditionFailed(): DistributionError {
  return new DistributionError(
    "PRECONDITION_FAILED",
    "the condition in If-Match or If-None-Match is not met: read the resource again, and repeat the request with its current ETag",
  );
}
