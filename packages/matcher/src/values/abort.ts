import { ScanError } from "@plimsoll/core";

/** Awaited between the steps of long work, outside of a transaction. @throws ScanError `aborted` to cancel it */
export type OnStep = () => Promise<void>;

/** @throws ScanError `aborted` if the signal is aborted @param what the work, for the message */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new ScanError("aborted", `${what} was aborted`, { cause: signal.reason });
}
