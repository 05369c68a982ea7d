import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileProblem } from "@plimsoll/core/internal";
import { isPipe, readPipe } from "@plimsoll/store";
import { UsageError } from "../cli/exit-code.ts";

/** How long to wait for the writer of a pipe if the caller passes no signal. */
const patienceMs = 10_000;

/**
 * Reads a file or pipe that a setting or a flag names.
 * @param signal aborts waiting for the writer of a pipe
 * @throws UsageError naming the setting and the file, if it cannot be read
 */
export async function readGivenFile(
  setting: string,
  path: string,
  signal: AbortSignal = AbortSignal.timeout(patienceMs),
): Promise<string> {
  try {
    return await readText(path, signal);
  } catch (error) {
    throw new UsageError(`${setting}: ${fileProblem(path, "read", error)}`, { cause: error });
  }
}

/** Reads the text of a file or a pipe. */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  return (await isPipe(path)) ? text(readPipe(path, signal)) : readFile(path, "utf8");
}
