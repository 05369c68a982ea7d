import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import { Collector } from "./collector.ts";
import type { TarVisitor, Watcher } from "./entry.ts";
import { blockBytes, hasValidChecksum, headerSize, headerType, isZeroBlock } from "./header.ts";
import { readLongName } from "./long-names.ts";
import { contentBytes, type Member, noOverrides, type Overrides, readMember } from "./member.ts";
import { mergePax, noPaxRecords, type PaxRecords, parsePax } from "./pax.ts";
import { expandSparse, readSparseExtension } from "./sparse.ts";

/** The limits of a walk. */
export type TarLimits = Pick<Limits, "maxEntries" | "maxPathBytes" | "maxMetaBytes">;

/**
 * A push parser of tar archives: the caller writes chunks, and a visitor receives the members. Content that the visitor does
 * not want is skipped without a copy.
 *
 *     archive = *( header content padding ) [ zero-block [ zero-block *anything ] ]
 *
 * An archive may end after any member without zero blocks. Data after two zero blocks are ignored. A header after a single
 * zero block is an error, as it is for the runtimes that unpack the layer.
 *
 * `write` and `end` throw ScanError `malformed_archive`, `layer_truncated`, `entry_limit` (headers) or `memory_limit`
 * (meta records).
 * @example
 * const names: string[] = [];
 * const visitor = { entry: ({ name }: TarEntry) => names.push(name) < 0, content: () => {} };
 * const walker = new TarWalker(visitor, { maxEntries: 1000, maxPathBytes: 4096, maxMetaBytes: 65_536 });
 * walker.write(new Uint8Array(1024));
 * walker.end();
 */
export class TarWalker {
  readonly #visitor: TarVisitor;
  readonly #limits: TarLimits;
  readonly #block = new Uint8Array(blockBytes);
  #blockFilled = 0;
  /** Position in the archive of the next byte. */
  #at = 0;
  #headers = 0;
  #zeroBlocks = 0;
  /** Remaining bytes of unwanted content. */
  #skip = 0;
  /** Receives unwanted content. */
  #watcher: Watcher | undefined;
  #padding = 0;
  #collector: Collector | undefined;
  #onCollected: (bytes: Uint8Array) => void = () => {};
  #global: PaxRecords = noPaxRecords;
  #overrides: Overrides = noOverrides;
  /** A sparse member whose map is not complete yet. */
  #unfinished: { readonly member: Member; readonly map: number[] } | undefined;

  constructor(visitor: TarVisitor, limits: TarLimits) {
    this.#visitor = visitor;
    this.#limits = limits;
  }

  /** Reads the next bytes of the archive; does not keep them. */
  write(chunk: Uint8Array): void {
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length); // `subarray` of a Node Buffer is slow
    for (let from = 0; from < bytes.length && this.#zeroBlocks < 2; ) {
      const taken = this.#take(bytes, from);
      from += taken;
      this.#at += taken;
    }
  }

  /** States that there are no more bytes. */
  end(): void {
    if (this.#zeroBlocks > 0) return;
    const expected = this.#missing();
    if (expected === undefined) return;
    throw new ScanError("layer_truncated", `tar archive ends at byte ${this.#at}, expected ${expected}`);
  }

  #missing(): string | undefined {
    if (this.#blockFilled > 0) return "the rest of a header";
    if (this.#skip > 0) return `${this.#skip} more bytes of content`;
    if (this.#collector !== undefined) return "the rest of a file's content";
    if (this.#padding > 0) return `${this.#padding} more bytes of padding`;
    if (this.#unfinished !== undefined) return "the rest of a sparse map";
    return this.#overrides === noOverrides ? undefined : "the entry that an extended header describes";
  }

  #take(chunk: Uint8Array, from: number): number {
    if (this.#collector !== undefined) return this.#collect(this.#collector, chunk, from);
    const available = chunk.length - from;
    if (this.#skip > 0) {
      const taken = Math.min(this.#skip, available);
      this.#skip -= taken;
      if (this.#watcher !== undefined) this.#show(this.#watcher, chunk.subarray(from, from + taken));
      return taken;
    }
    if (this.#padding > 0) {
      const taken = Math.min(this.#padding, available);
      this.#padding -= taken;
      return taken;
    }
    return this.#takeBlock(chunk, from);
  }

  #show(watcher: Watcher, part: Uint8Array): void {
    if (!watcher(part) || this.#skip === 0) this.#watcher = undefined;
  }

  #collect(collector: Collector, chunk: Uint8Array, from: number): number {
    const taken = collector.take(chunk, from);
    if (collector.isFull) {
      this.#collector = undefined;
      this.#onCollected(collector.bytes);
    }
    return taken;
  }

  #takeBlock(chunk: Uint8Array, from: number): number {
    if (this.#blockFilled === 0 && chunk.length - from >= blockBytes) {
      this.#readBlock(chunk.subarray(from, from + blockBytes), this.#at);
      return blockBytes;
    }
    const taken = Math.min(blockBytes - this.#blockFilled, chunk.length - from);
    this.#block.set(chunk.subarray(from, from + taken), this.#blockFilled);
    this.#blockFilled += taken;
    if (this.#blockFilled === blockBytes) {
      this.#blockFilled = 0;
      this.#readBlock(this.#block, this.#at + taken - blockBytes);
    }
    return taken;
  }

  #readBlock(block: Uint8Array, at: number): void {
    if (this.#unfinished !== undefined) {
      this.#readExtension(this.#unfinished, block, at);
    } else if (isZeroBlock(block)) {
      this.#zeroBlocks++;
    } else {
      this.#checkHeader(block, at);
      this.#readHeader(block, at);
    }
  }

  #checkHeader(block: Uint8Array, at: number): void {
    if (this.#zeroBlocks > 0) {
      throw new ScanError("malformed_archive", `tar archive: found data at byte ${at} after a single zero block`);
    }
    if (!hasValidChecksum(block)) {
      throw new ScanError("malformed_archive", `tar archive: expected a header at byte ${at}, its checksum is wrong`);
    }
    if (++this.#headers > this.#limits.maxEntries) {
      throw new ScanError("entry_limit", `tar archive: more than ${this.#limits.maxEntries} headers`);
    }
  }

  #readHeader(block: Uint8Array, at: number): void {
    const onMeta = this.#metaReader(headerType(block), at);
    if (onMeta === undefined) this.#readMemberHeader(block, at);
    else this.#readMeta(block, at, onMeta);
  }

  /** The reader for the content of a meta member, which describes other members; undefined for a real member. */
  #metaReader(type: string, at: number): ((bytes: Uint8Array) => void) | undefined {
    switch (type) {
      case "x":
      case "X": // written by Solaris before pax was a standard
        return (bytes) => this.#override({ pax: parsePax(bytes, at) });
      case "g":
        return (bytes) => {
          this.#global = { ...mergePax(this.#global, parsePax(bytes, at)), sparseNumbers: [] };
        };
      case "L":
        return (bytes) => this.#override({ longName: readLongName(bytes) });
      case "K":
        return (bytes) => this.#override({ longLinkName: readLongName(bytes) });
      default:
        return undefined;
    }
  }

  #override(more: Partial<Overrides>): void {
    this.#overrides = { ...this.#overrides, ...more };
  }

  #readMeta(block: Uint8Array, at: number, onContent: (bytes: Uint8Array) => void): void {
    const size = headerSize(block, at);
    if (size > this.#limits.maxMetaBytes) {
      const limit = `maxMetaBytes is ${this.#limits.maxMetaBytes}`;
      throw new ScanError("memory_limit", `tar archive: meta record of ${size} bytes at byte ${at}, ${limit}`);
    }
    this.#expectContent(size, onContent);
  }

  #readMemberHeader(block: Uint8Array, at: number): void {
    const member = readMember(block, at, { global: this.#global, local: this.#overrides });
    const pax = this.#overrides.pax;
    this.#overrides = noOverrides;
    if (member === undefined) {
      this.#expectNothing(contentBytes(block, at, pax));
      return;
    }
    this.#checkPaths(member);
    if (member.moreSegments) this.#unfinished = { member, map: [...(member.sparse?.map ?? [])] };
    else this.#begin(member);
  }

  #checkPaths({ entry, at }: Member): void {
    const length = Math.max(entry.name.length, entry.linkName.length);
    if (length <= this.#limits.maxPathBytes) return;
    const limit = `maxPathBytes is ${this.#limits.maxPathBytes}`;
    throw new ScanError("malformed_archive", `tar header at byte ${at}: a path of ${length} characters, ${limit}`);
  }

  #readExtension(unfinished: { readonly member: Member; readonly map: number[] }, block: Uint8Array, at: number): void {
    const { member, map } = unfinished;
    const extension = readSparseExtension(block, at);
    map.push(...extension.map);
    if (map.length * 8 > this.#limits.maxMetaBytes) {
      throw new ScanError("memory_limit", `sparse file at byte ${member.at}: more than ${map.length / 2} segments`);
    }
    if (extension.more) return;
    this.#unfinished = undefined;
    const entry = { ...member.entry, contentAt: at + blockBytes };
    this.#begin({ ...member, entry, sparse: { realBytes: entry.sizeBytes, map } });
  }

  #begin({ entry, at, sparse }: Member): void {
    const wish = entry.name !== "" && this.#visitor.entry(entry);
    if (wish !== true) {
      this.#expectNothing(entry.storedBytes);
      if (wish !== false && entry.storedBytes > 0) this.#watcher = wish;
      return;
    }
    this.#expectContent(entry.storedBytes, (stored) => {
      this.#visitor.content(entry, sparse === undefined ? stored : expandSparse(stored, sparse, at));
    });
  }

  #expectContent(sizeBytes: number, onContent: (bytes: Uint8Array) => void): void {
    this.#padding = paddingAfter(sizeBytes);
    if (sizeBytes === 0) {
      onContent(new Uint8Array(0));
      return;
    }
    this.#collector = new Collector(sizeBytes);
    this.#onCollected = onContent;
  }

  #expectNothing(sizeBytes: number): void {
    this.#padding = paddingAfter(sizeBytes);
    this.#skip = sizeBytes;
  }
}

function paddingAfter(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}
