import type { ByteParts } from "../bytes/byte-parts.ts";
import type { ReadingBudget } from "../plugins/detector.ts";
import { ArchiveBudget, defaultArchiveLimits } from "../zip/archive-budget.ts";
import type { KeptFile } from "./layer-contents.ts";

/** A kept file with its content. A content outside memory is loaded when `bytes` is read for the first time. */
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
      whole ??= parts.subarray(0, parts.length);
      return whole;
    },
  };
}
