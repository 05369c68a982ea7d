import { ScanError } from "@plimsoll/core";
import { findErrorCode } from "@plimsoll/outbound";

/**
 * Explains a failed request to a container engine. A ScanError is returned unchanged.
 * @param where names the engine and its address
 */
export function toUnreachable(error: unknown, where: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof ScanError) return error;
  if (signal?.aborted) return new ScanError("aborted", `reading from ${where} was cancelled`, { cause: error });
  const code = findErrorCode(error);
  if (code === "EACCES" || code === "EPERM")
    return new ScanError("not_permitted", `${where} cannot be used: you have no permission for its socket`, {
      cause: error,
    });
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  return new ScanError("source_unreachable", `${where} cannot be reached (${reason})`, { cause: error });
}
