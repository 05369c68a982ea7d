import type { ByteParts } from "../bytes/byte-parts.ts";
import { Collector } from "../tar/collector.ts";
import type { TarEntry, Watcher } from "../tar/entry.ts";
import { keptFile } from "./kept-file.ts";
import type { KeptFile } from "./layer-contents.ts";

/** Files that describe a package are not larger, but for a few. */
const maxFileBytes = 64 * 1024;

/** The bytes of all contents together: those of tens of thousands of packages. */
const maxBytes = 32 * 1024 ** 2;

/** A file of a store that is addressed by content, such as that of pnpm, from which packages are linked. */
const storedByContent = /(?:^|\/)files\/[0-9a-f]{2}\/[0-9a-f]{38,}$/;

const openBrace = 0x7b;

/**
 * Small contents to which hard links may lead that come later in the layer. Package managers link the files of their packages from a cache. A
 * content that is not here needs a second pass over the layer.
 */
export class LinkTargets {
  readonly #files = new Map<string, KeptFile>();
  #usedBytes = 0;

  /** The file that was kept for a path of a content. */
  get(contentPath: string): KeptFile | undefined {
    return this.#files.get(contentPath);
  }

  /** Keeps a copy of a content, if it is small and there is room. */
  keep(head: ContentHead, content: ByteParts): void {
    if (this.#hasRoom(content.length)) this.#add(head, content.subarray(0, content.length).slice());
  }

  /** Discards the content of a file that a later entry of the layer replaces. */
  forget(path: string): void {
    this.#usedBytes -= this.#files.get(path)?.parts.length ?? 0;
    this.#files.delete(path);
  }

  /** Watches a file whose path says nothing: in a store by content, one that begins like JSON may describe a package. */
  watch(path: string, { storedBytes, sizeBytes, mode, isSparse }: TarEntry): Watcher | false {
    if (isSparse === true || !storedByContent.test(path) || !this.#hasRoom(storedBytes)) return false;
    const collector = new Collector(storedBytes);
    let hasBegun = false;
    return (part) => {
      if (!hasBegun && part[0] !== openBrace) return false;
      hasBegun = true;
      collector.take(part, 0);
      if (!collector.isFull) return true;
      this.#add({ path, contentPath: path, mode, info: { path, kind: "file", sizeBytes, mode } }, collector.bytes);
      return false;
    };
  }

  #hasRoom(sizeBytes: number): boolean {
    return sizeBytes <= maxFileBytes && this.#usedBytes + sizeBytes <= maxBytes;
  }

  #add(head: ContentHead, content: Uint8Array): void {
    this.#usedBytes += content.length;
    this.#files.set(head.contentPath, keptFile(head, content));
  }
}

type ContentHead = Omit<KeptFile, "bytes" | "parts">;
