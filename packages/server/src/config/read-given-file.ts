import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileProblem } from "@plimsoll/core";
import { isPipe, readPipe } from "@plimsoll/store";
import { UsageError } from "../cli/exit-code.ts";

/** How long a pipe is waited for where nothing else ends the waiting. */
const patienceMs = 10_000;

/**
 * Reads a file that a setting or a flag names, or a pipe.
 * @param signal ends the waiting for the writer of a pipe
 * @throws UsageError naming both, where it cannot be read
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

/** A file's text, or what is written into a pipe. */
export async function readText(path: string, signal?: AbortSignal): Promise<string> {
  return (await isPipe(path)) ? text(readPipe(path, signal)) : readFile(path, "utf8");
}
