import type { Readable, Writable } from "node:stream";
import type { Engine } from "@plimsoll/core";
import { type ExitCode, exitCodes } from "./exit-code.ts";

/** The process environment of the command: streams, variables, clock. Tests and embedders pass their own. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Now, in epoch milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /**
   * Sets a deadline for shutdown: from now on, the process ends at most this long after a signal, even if work is unfinished. For
   * work that may be cut off anywhere.
   */
  readonly endWithin?: (milliseconds: number) => void;
  /** The detectors, matchers and enrichers to use; by default all that come with the engine. */
  readonly engine?: Engine;
  /** The process, if the command has it to itself: a service watches it for errors that no code handles. */
  readonly process?: OwnProcess;
}

/** The parts of Node's `process` that a service uses. */
export type OwnProcess = Pick<NodeJS.Process, "on" | "off" | "listeners" | "exit">;

/** A stream for text; `isTTY` and `columns` are set for a terminal. */
export interface Output extends Pick<Writable, "write"> {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  /** The lines that it could not write; absent if it does not count them. */
  readonly lost?: LostLines;
}

/** Lines that an output lost, because they could not be written, or because its reader had stopped reading. */
export interface LostLines {
  /** How many so far. */
  total: number;
  /** Returns the line that tells how many were lost since the last one; without it, nothing is told. */
  describe?: (lines: number) => string;
}

/** Writes each line with a line end. */
export function writeLines(output: Output, lines: Iterable<string>): void {
  for (const line of lines) output.write(`${line}\n`);
}

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
