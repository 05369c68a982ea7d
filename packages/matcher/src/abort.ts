import { ScanError } from "@plimsoll/core";

/** @throws ScanError `aborted` once the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new ScanError("aborted", `${what} was aborted`, { cause: signal.reason });
}
