import { ScanError } from "@plimsoll/core";

/** Called between the steps of long work. @throws ScanError `aborted` when the work was given up */
export type OnStep = () => void;

/** @throws ScanError `aborted` once the signal is aborted */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new ScanError("aborted", `${what} was aborted`, { cause: signal.reason });
}
