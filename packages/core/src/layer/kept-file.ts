import type { ByteParts } from "../bytes/byte-parts.ts";
import type { KeptFile } from "./layer-contents.ts";

/** A kept file with its content, which is in memory as a whole once `bytes` is asked for, and not before unless it is there already. */
export function keptFile(head: Omit<KeptFile, "bytes" | "parts">, parts: ByteParts): KeptFile {
  let whole = parts instanceof Uint8Array ? parts : undefined;
  return {
    ...head,
    parts,
    get bytes() {
      whole ??= parts.subarray(0, parts.length);
      return whole;
    },
  };
}
