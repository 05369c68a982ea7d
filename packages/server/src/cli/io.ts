import type { Readable, Writable } from "node:stream";
import type { Engine } from "@plimsoll/core";

/** Everything the command touches outside itself, so that tests and embedders can give their own. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Now, in epoch milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
  /**
   * From now on: told to stop, the process ends at the latest so many milliseconds later, whatever it waits for. For work that may be
   * cut off anywhere.
   */
  readonly endWithin?: (milliseconds: number) => void;
  /** What is looked for, matched and added to reports; all that comes with the engine where absent. */
  readonly engine?: Engine;
}

/** Where text goes; the last three members are those of a terminal. */
export interface Output extends Pick<Writable, "write"> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Writes whole lines. */
export function writeLines(output: Output, lines: Iterable<string>): void {
  for (const line of lines) output.write(`${line}\n`);
}
