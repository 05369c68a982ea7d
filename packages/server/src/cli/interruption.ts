import { type ExitCode, exitCodes } from "./exit-code.ts";

/** The abort reason of a command that a signal interrupted. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: ExitCode;

  constructor(signal: NodeJS.Signals) {
    super(signal === "SIGINT" ? "interrupted" : "asked to stop");
    this.exitCode = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
  }
}

/** The interruption that aborted a signal; undefined if there was none. */
export function interruptionOf(signal: AbortSignal | undefined): Interruption | undefined {
  return signal?.aborted === true && signal.reason instanceof Interruption ? signal.reason : undefined;
}
