import type { ByteParts } from "../bytes/byte-parts.ts";
import { ScanError } from "../errors.ts";
import type { ReadingBudget } from "../plugins/detector.ts";
import { ArchiveBudget, defaultArchiveLimits } from "../zip/archive-budget.ts";
import type { KeptFile } from "./layer-contents.ts";

/** A larger content outside memory is only read part by part: no text that a detector reads as a whole is that long. */
const maxWholeBytes = 64 * 1024 ** 2;

/**
 * A kept file with its content. A content outside memory is loaded when `bytes` is read for the first time; a getter that throws ScanError
 * `memory_limit` for a large one, which is then a problem of the file and does not end the reading of the layer.
 */
export function keptFile(head: Omit<KeptFile, "budget" | "bytes" | "parts">, parts: ByteParts): KeptFile {
  let whole = parts instanceof Uint8Array ? parts : undefined;
  let budget: ReadingBudget | undefined = head.archive?.budget;
  return {
    ...head,
    parts,
    get budget() {
      budget ??= new ArchiveBudget(head.path, parts.length, defaultArchiveLimits);
      return budget;
    },
    get bytes() {
      if (whole === undefined && parts.length > maxWholeBytes)
        throw new ScanError(
          "memory_limit",
          `${head.path}: not read, expected at most ${maxWholeBytes} bytes, found ${parts.length}`,
        );
      whole ??= parts.subarray(0, parts.length);
      return whole;
    },
  };
}
