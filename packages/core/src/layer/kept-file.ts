import type { ByteParts } from "../bytes/byte-parts.ts";
import type { KeptFile } from "./layer-contents.ts";

/** A kept file with its content. A content outside memory is loaded when `bytes` is read for the first time. */
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
