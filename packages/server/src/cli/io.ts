import type { Readable, Writable } from "node:stream";
import type { Engine } from "@plimsoll/core";

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
}

/** A stream for text; `isTTY` and `columns` are set for a terminal. */
export interface Output extends Pick<Writable, "write"> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Writes each line with a line end. */
export function writeLines(output: Output, lines: Iterable<string>): void {
  for (const line of lines) output.write(`${line}\n`);
}
