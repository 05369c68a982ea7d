import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scratch, ScratchContent } from "@plimsoll/core/internal";
import { FileWindows } from "./file-windows.ts";

/** Temporary files as scratch space. */
export interface FileScratch extends Scratch, Disposable {}

/**
 * Opens scratch space in temporary files. Each file is unlinked as soon as it is open, so that a killed process leaves nothing behind.
 * @param folder the folder of the files; default: the system's folder for temporary files
 */
export function openScratch(folder: string = tmpdir()): FileScratch {
  const contents: FileContent[] = [];
  return {
    begin() {
      const file = openNameless(folder);
      if (file === undefined) return undefined;
      const content = new FileContent(file);
      contents.push(content);
      return content;
    },
    [Symbol.dispose]() {
      for (const content of contents.splice(0)) content.close();
    },
  };
}

/** Opens a file without a name; undefined if none can be created. */
function openNameless(folder: string): number | undefined {
  const path = join(folder, `plimsoll-${randomUUID()}`);
  let file: number | undefined;
  try {
    file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  } catch {
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

class FileContent implements ScratchContent {
  length = 0;
  #file: number | undefined;
  readonly #windows: FileWindows;

  constructor(file: number) {
    this.#file = file;
    this.#windows = new FileWindows(() => this.#open());
  }

  append(bytes: Uint8Array): boolean {
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#open(), bytes, at, bytes.length - at, this.length + at);
      }
    } catch {
      return false; // most likely the disk is full
    }
    this.#windows.clear(); // the last one may have been short
    this.length += bytes.length;
    return true;
  }

  clear(): void {
    ftruncateSync(this.#open());
    this.#windows.clear();
    this.length = 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#windows.clear();
  }

  subarray(start: number, end: number): Uint8Array {
    return this.#windows.read(start, Math.min(end, this.length), this.length);
  }

  /** The descriptor. That of a closed file must not be used, because the system gives it to other files. */
  #open(): number {
    if (this.#file === undefined) throw new Error("the temporary file is closed");
    return this.#file;
  }
}
