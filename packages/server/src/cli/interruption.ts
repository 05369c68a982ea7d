import { type ExitCode, exitCodes } from "./exit-code.ts";

/** Why a command was told to stop: the reason of its signal. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: ExitCode;

  constructor(signal: NodeJS.Signals) {
    super(signal === "SIGINT" ? "interrupted" : "asked to stop");
    this.exitCode = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
  }
}

/** The interruption of a command that has not done its work because of one. */
export function interruptionOf(signal: AbortSignal | undefined): Interruption | undefined {
  return signal?.aborted === true && signal.reason instanceof Interruption ? signal.reason : undefined;
}
