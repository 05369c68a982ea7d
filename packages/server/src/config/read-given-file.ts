import { readFile } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core";
import { UsageError } from "../cli/exit-code.ts";

/** Reads a file that a setting or a flag names. @throws UsageError naming both, where it cannot be read */
export async function readGivenFile(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`${setting}: ${fileProblem(path, "read", error)}`, { cause: error });
  }
}
