import { concatBytes } from "../bytes/concat-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { Watcher } from "../tar/entry.ts";
import { watchExecutable } from "./executable.ts";

/** Longer first lines name no interpreter. */
const maxLineBytes = 512;
const lineFeed = 0x0a;

/** Watches a file for the marks of {@link BuildMark}. Of a file that is not a program, only the beginning is read. */
export function watchProgram(onFound: (mark: BuildMark) => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  let watcher: Watcher | undefined;
  return (part) => {
    if (watcher !== undefined) return watcher(part);
    head = head.length === 0 ? part : concatBytes([head, part]);
    if (head.length >= 2) watcher = isScript(head) ? watchScript(() => onFound("zipapp")) : watchExecutable(onFound);
    if (watcher !== undefined) return watcher(head);
    head = head.slice(); // the caller reuses the memory of the part
    return true;
  };
}

function isScript(head: Uint8Array): boolean {
  return head[0] === 0x23 && head[1] === 0x21;
}

/**
 * Watches a script for a zip archive in its second line, as zipapp, pex and shiv write a program of Python:
 *
 *     "#!" interpreter "\n" "PK\3\4" …
 *
 * @see https://docs.python.org/3/library/zipapp.html#the-python-zip-application-archive-format
 */
function watchScript(onFound: () => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  return (part) => {
    head = concatBytes([head, part.subarray(0, maxLineBytes)]);
    const end = head.indexOf(lineFeed);
    if (end < 0 || head.length < end + 5) return head.length < maxLineBytes && part.length > 0;
    const [p, k, three, four] = head.subarray(end + 1);
    if (p === 0x50 && k === 0x4b && three === 3 && four === 4) onFound();
    return false;
  };
}
