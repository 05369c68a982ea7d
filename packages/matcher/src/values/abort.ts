import { ScanError } from "@plimsoll/core";

/** Called between the steps of long work. @throws ScanError `aborted` to cancel it */
export type OnStep = () => void;

/** @throws ScanError `aborted` if the signal is aborted @param what the work, for the message */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new ScanError("aborted", `${what} was aborted`, { cause: signal.reason });
}
