import type { Bytes } from "../../bytes/bytes.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { textLines } from "../shared/text-lines.ts";

/** A file of the feed and when it was last changed or deleted. */
export interface ChangedFile {
  /** `2024/cve-2024-24786.json` */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The maximal number of files of one list; the feed has a tenth of it. */
const maxFiles = 1_000_000;

/**
 * Reads the files in a list, in any order.
 *
 * ```
 * list = {'"' name '","' date '"' newline}      changes.csv, deletions.csv
 * ```
 * @throws ScanError `malformed_feed` for another document
 */
export async function readChangedFiles(source: Bytes, location: string): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for await (const line of textLines(source, location)) {
    if (line.trim() === "") continue;
    const [, name = "", date = ""] = /^"?([^",]+)"?,"?([^",]+)"?$/.exec(line.trim()) ?? [];
    const at = Date.parse(date);
    if (!isCveFile(name) || Number.isNaN(at))
      throw malformedFeed(
        location,
        `expected the name of a file and a date, found ${JSON.stringify(line.slice(0, 80))}`,
      );
    if (files.push({ name, at }) > maxFiles)
      throw malformedFeed(location, `expected at most ${maxFiles} files, found more`);
  }
  return files;
}

/** Whether a file is about one vulnerability, by its name: `2024/cve-2024-24786.json`. */
export function isCveFile(name: string): boolean {
  return /^(?:\d{4}\/)?cve-\d{4}-\d{4,}\.json$/.test(name);
}

/** The vulnerability of a file. */
export function cveOf(name: string): string {
  return (name.split("/").at(-1) ?? name).replace(/\.json$/, "").toUpperCase();
}
