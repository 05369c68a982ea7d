import { open } from "node:fs/promises";
import { fileProblem, utf8Of } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import type { Json } from "@plimsoll/core/report";
import { parseVulnerabilityReportJson, ScanError, type ScanReport, scanOfReport } from "@plimsoll/scanner";
import { UsageError } from "../cli/exit-code.ts";

const headBytes = 4096;
const maxReportBytes = 256 * 1024 ** 2;

/** The report file that a word names: `report:FILE`, or a file that begins like the output of `scan -o json`. */
export async function findReportFile(word: string): Promise<string | undefined> {
  if (word.startsWith("report:")) return word.slice("report:".length);
  try {
    await using file = await open(word);
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    const head = new TextDecoder().decode(utf8Of(buffer.subarray(0, bytesRead), malformed(word)));
    return /^\s*\{/.test(head) && head.includes('"manifest_hash"') ? word : undefined;
  } catch {
    return undefined; // not a report file; opening the word as a source reports what is wrong
  }
}

function malformed(name: string) {
  return { name: safeText(name), code: "malformed_report" } as const;
}

/** Reads a report file, in UTF-8 or in UTF-16 with a byte order mark. @throws UsageError if it cannot be read, ScanError `malformed_report` if it is not a report of one image */
export async function readReportFile(path: string): Promise<ScanReport> {
  const json = await readJson(path);
  return scanOfReport({ source: `report:${path}`, reference: path }, parseVulnerabilityReportJson(json));
}

async function readJson(path: string): Promise<Json> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxReportBytes) throw new UsageError(`${path} has ${size} bytes, more than ${maxReportBytes}`);
    return JSON.parse(new TextDecoder().decode(utf8Of(await file.readFile(), malformed(path)))) as Json;
  } catch (error) {
    if (error instanceof UsageError || error instanceof ScanError) throw error;
    const problem = error instanceof SyntaxError ? `${path} is not a JSON document` : fileProblem(path, "read", error);
    throw new UsageError(safeText(problem), { cause: error });
  }
}
